// Copying what stands in a field. Browsers lend the clipboard to pages that came over TLS or from this machine; on others
// the old way still works, and where it does not the text is at least marked.

import { setText } from "./dom";
import { say } from "./say";

const SHOWN_MS = 1_500;

export async function copy(field: HTMLInputElement, button: HTMLElement): Promise<void> {
  field.select();
  const isCopied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  );
  if (!isCopied && !document.execCommand("copy")) return;
  setText(button, say.copied);
  setTimeout(() => setText(button, say.copy), SHOWN_MS);
}
