// JSON as people read it: what fits a line stays on one.

/** A line this long still fits beside the names of the samples. */
const LINE = 84;

export function pretty(value: unknown, indent = ""): string {
  const flat = oneLine(value);
  if (typeof value !== "object" || value === null || indent.length + flat.length <= LINE) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object")) return flat;
    return `[\n${value.map((item) => inner + pretty(item, inner)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${pretty(item, inner)}`);
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`)
    .join(", ")}}`;
}
