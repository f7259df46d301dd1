// Behaviour of the frame that needs no server: the menu of narrow screens, keys, copying, and keeping the newest in view.
const body = document.body;

function openMenu(open) {
  body.classList.toggle("nav-open", open);
  document.querySelector("[data-menu]")?.setAttribute("aria-expanded", String(open));
  if (open) document.querySelector(".side a")?.focus();
}

function toast(text, stays = false) {
  document.querySelector(".toast")?.remove();
  const note = Object.assign(document.createElement("div"), { className: "toast", textContent: text });
  note.setAttribute("role", "status");
  body.append(note);
  if (!stays) setTimeout(() => note.remove(), Math.max(2200, 60 * text.length));
}

async function save(address, name) {
  const response = await fetch(address, { method: "POST" });
  if (!response.ok) return toast((await response.json()).title ?? response.statusText);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await response.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// While older turns are put above it, the first that was there stays where the reader sees it, until the reader moves.
let kept;
for (const type of ["wheel", "touchmove", "keydown", "pointerdown"]) document.addEventListener(type, () => { kept = undefined; }, { capture: true, passive: true });

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-earlier]")) {
    const first = document.querySelector(".thread .turn");
    if (first) kept = { first, top: first.getBoundingClientRect().top }, stuck = false;
  }
  if (event.target.closest("[data-menu]")) return openMenu(!body.classList.contains("nav-open"));
  if (event.target.closest(".scrim") || event.target.closest(".side a")) openMenu(false);
  const saves = event.target.closest("[data-save]");
  if (saves) save(saves.dataset.save, saves.dataset.name);
  const copies = event.target.closest("[data-copy]");
  if (copies) navigator.clipboard.writeText(copies.dataset.copy).then(() => toast(copies.dataset.copied));
});

// A picture that does not come says so in its place.
document.addEventListener("error", (event) => {
  const missing = event.target.dataset?.missing;
  if (missing) event.target.alt = missing;
}, true);

async function upload(element, form) {
  toast(element.dataset.busy, true);
  try {
    const response = await fetch(element.dataset.upload, { method: "POST", body: form });
    if (response.ok) return location.reload();
    toast((await response.json()).detail ?? response.statusText);
  } catch (problem) {
    toast(problem.message);
  }
}

document.addEventListener("change", async (event) => {
  const input = event.target.closest("input[data-upload]");
  if (!input?.files.length) return;
  const form = new FormData();
  form.append("file", input.files[0]);
  if (input.dataset.base) form.append("base", input.dataset.base);
  await upload(input, form);
  input.value = "";
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-upload]");
  if (!form) return;
  event.preventDefault();
  upload(form, new FormData(form));
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
let due = false;
function keepEnd() {
  due = false;
  const place = document.querySelector(".scroll.follow");
  if (place && stuck) place.scrollTop = place.scrollHeight;
  if (place && kept?.first.isConnected) place.scrollTop += kept.first.getBoundingClientRect().top - kept.top;
  const cited = document.querySelector(".sheet mark:not([data-found])"); // a passage opens where it is marked
  if (cited) cited.dataset.found = "", cited.scrollIntoView({ block: "center" });
}
new MutationObserver(() => {
  if (!due) due = !!requestAnimationFrame(keepEnd); // once a frame: to ask for its height lays the page out
}).observe(body, { childList: true, subtree: true, characterData: true });
window.addEventListener("metaagent:sent", () => { stuck = true; });
window.addEventListener("metaagent:toast", (event) => toast(event.detail));

// While the connection is gone nothing is sent, and what comes is missed: when it is back, the page is loaded anew from the
// store. What is being written stays.
const socketIsThere = setInterval(() => {
  if (!window.socket) return;
  clearInterval(socketIsThere);
  window.socket.on("disconnect", () => { body.dataset.gone = "yes"; });
  window.socket.on("connect", () => { if (body.dataset.gone) location.reload(); });
}, 100);
