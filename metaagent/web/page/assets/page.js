// Behaviour of the frame that needs no server: the menu of narrow screens, keys, copying, and keeping the newest in view.
const body = document.body;

function openMenu(open) {
  body.classList.toggle("nav-open", open);
  document.querySelector("[data-menu]")?.setAttribute("aria-expanded", String(open));
  if (open) document.querySelector(".side a")?.focus();
}

function toast(text) {
  document.querySelector(".toast")?.remove();
  const note = Object.assign(document.createElement("div"), { className: "toast", textContent: text });
  note.setAttribute("role", "status");
  body.append(note);
  setTimeout(() => note.remove(), 2200);
}

async function save(address, name) {
  const response = await fetch(address, { method: "POST" });
  if (!response.ok) return toast((await response.json()).title ?? response.statusText);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await response.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-menu]")) return openMenu(!body.classList.contains("nav-open"));
  if (event.target.closest(".scrim") || event.target.closest(".side a")) openMenu(false);
  const saves = event.target.closest("[data-save]");
  if (saves) save(saves.dataset.save, saves.dataset.name);
  const copies = event.target.closest("[data-copy]");
  if (copies) navigator.clipboard.writeText(copies.dataset.copy).then(() => toast(copies.dataset.copied));
});

document.addEventListener("change", async (event) => {
  const input = event.target.closest("[data-upload]");
  if (!input?.files.length) return;
  const form = new FormData();
  form.append("file", input.files[0]);
  if (input.dataset.base) form.append("base", input.dataset.base);
  const response = await fetch(input.dataset.upload, { method: "POST", body: form });
  if (response.ok) return location.reload();
  input.value = "";
  toast((await response.json()).detail ?? response.statusText);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && body.classList.contains("nav-open")) return openMenu(false);
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    const box = document.querySelector(".composer textarea");
    if (box) event.preventDefault(), box.focus();
  }
});

// The end of a conversation stays in view while it grows, unless the reader has scrolled up.
let stuck = true;
document.addEventListener("scroll", (event) => {
  const place = event.target;
  if (place.classList?.contains("follow")) stuck = place.scrollHeight - place.scrollTop - place.clientHeight < 120;
}, true);
new MutationObserver(() => {
  const place = document.querySelector(".scroll.follow");
  if (place && stuck) place.scrollTop = place.scrollHeight;
}).observe(body, { childList: true, subtree: true, characterData: true });
window.addEventListener("metaagent:sent", () => { stuck = true; });
window.addEventListener("metaagent:toast", (event) => toast(event.detail));

// Whatever was sent while the connection was gone may be lost: the page is loaded anew from the store. What is being written stays.
const socketIsThere = setInterval(() => {
  if (!window.socket) return;
  clearInterval(socketIsThere);
  let gone = false;
  window.socket.on("disconnect", () => { gone = true; });
  window.socket.on("connect", () => { if (gone) location.reload(); });
}, 100);
