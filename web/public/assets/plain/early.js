// Runs before the first paint, so that a page never flashes in other colours. See `src/theme.ts`.
try {
  const chosen = new URLSearchParams(location.search).get("theme") ?? localStorage.getItem("theme");
  if (["dark", "light", "contrast"].includes(chosen)) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is refused: the system's choice stands.
}
// The address the daemon prints for its operator leads to the page that signs in, in a tab that shows the wall too. What
// is behind the # is not sent.
const signIn = () => {
  const isThere = ["/operate", "/doors"].includes(location.pathname);
  if (location.hash.startsWith("#token=") && !isThere) location.replace(`/operate${location.hash}`);
};
addEventListener("hashchange", signIn);
signIn();
