// The console's only script. The server renders every page; this swaps in what has changed, and counts seconds. Nothing depends on it.
"use strict";

// What each part looked like when the server last sent it: an opened <details> is the reader's, and is no change of ours.
const sent = new Map();
const parts = root => root.querySelectorAll("[data-part], [data-list] > li");
const remember = () => parts(document).forEach(part => sent.set(part.id, part.outerHTML));

function take(page) {
  const list = document.querySelector("[data-list]");
  for (const fresh of parts(page)) {
    const html = fresh.outerHTML, known = document.getElementById(fresh.id);
    if (known && sent.get(fresh.id) === html) continue;
    sent.set(fresh.id, html);
    const node = document.importNode(fresh, true);
    if (known) {
      const open = [...known.querySelectorAll("details")].map(one => one.open);
      node.querySelectorAll("details").forEach((one, at) => { if (open[at]) one.open = true; });
      known.replaceWith(node);
    } else if (list) {
      const before = fresh.previousElementSibling && document.getElementById(fresh.previousElementSibling.id);
      before ? before.after(node) : list.prepend(node);
      node.classList.add("fresh");
    }
  }
}

// What stands between this page and what is so: the console is gone, or its database.
const lost = document.getElementById("lost"), lostWords = lost?.textContent;
let later = 0;
function away(why) {
  if (!lost) return;
  lost.textContent = why || lostWords; lost.hidden = false;
  clearTimeout(later);
  later = setTimeout(refresh, 2000);  // who tells of changes may have seen it come back a moment before this look failed
}

let loading = false, again = false;
async function refresh() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status === 404 || answer.redirected) location.reload();  // it was forgotten, or the session is over: say so
    else if (answer.ok) { if (lost) lost.hidden = true; take(page); }
    else away(page.querySelector("h1")?.textContent);
  } catch { away(); }
  loading = false;
  if (again) { again = false; refresh(); }
}

function watch(run) {
  const stream = new EventSource(run.dataset.live);
  const leave = () => stream.close();
  stream.addEventListener("changed", refresh);
  stream.addEventListener("words", event => {
    const place = document.querySelector("[data-words]"), said = JSON.parse(event.data);
    if (place) { place.textContent = said; place.hidden = !said; }
  });
  stream.addEventListener("ended", () => { stream.close(); refresh(); });
  stream.onerror = () => {
    refresh();
    if (stream.readyState !== EventSource.CLOSED) return;  // the browser tries again by itself
    removeEventListener("pagehide", leave);
    setTimeout(() => watch(run), 2000);
  };
  addEventListener("pagehide", leave);
}

function took(seconds) {
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  const minutes = Math.floor(seconds / 60), rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return minutes < 60 ? `${minutes} min ${rest} s` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

// A sentence shows its sources when it is pointed at, or when one of its numbers has the keyboard; without this the numbers lead to the list.
let tip = null;
function hideTip() { if (tip) { tip.remove(); tip = null; document.querySelectorAll(".said.lit").forEach(one => one.classList.remove("lit")); } }
function showTip(said, refs) {
  hideTip();
  tip = document.createElement("div");
  tip.className = "tip"; tip.setAttribute("role", "tooltip");
  for (const ref of refs.querySelectorAll("a")) {
    const note = document.getElementById(ref.hash.slice(1)), line = document.createElement("p");
    if (note) { line.append(`${ref.textContent}. `, ...[...note.childNodes].map(one => one.cloneNode(true))); tip.append(line); }
  }
  const box = refs.getBoundingClientRect();
  document.body.append(tip);
  tip.style.left = `${Math.max(8, Math.min(box.left + scrollX, innerWidth - tip.offsetWidth - 12))}px`;
  tip.style.top = `${box.bottom + scrollY + 8}px`;
  said.classList.add("lit");
}
function pointed(target) {
  if (!(target instanceof Element) || target.closest(".tip")) return;
  const said = target.closest(".said") || target.closest(".refs")?.previousElementSibling;
  const refs = said?.nextElementSibling;
  if (said?.classList.contains("said") && refs?.classList.contains("refs")) showTip(said, refs); else hideTip();
}
addEventListener("mouseover", event => pointed(event.target));
addEventListener("focusin", event => pointed(event.target));
addEventListener("keydown", event => { if (event.key === "Escape") hideTip(); });
// A number leads to its note, which may be folded away.
addEventListener("hashchange", () => document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", ""));

// A job file is checked while one types; its button does the same without a script.
const file = document.querySelector("form[data-check]");
let typed = 0;
async function check() {
  const mine = ++typed, told = document.getElementById("job-problem");
  try {
    const answer = await fetch(file.action, { method: "POST", body: new URLSearchParams(new FormData(file)), headers: { accept: "application/json" } });
    const found = answer.ok ? await answer.json() : null;
    if (!found || mine !== typed) return;  // somebody has typed on
    told.textContent = found.problem || found.fits;
    told.className = found.problem ? "bad" : "good";
  } catch { /* the button says what is the matter */ }
}
let pausing = 0;
if (file) file.addEventListener("input", () => { clearTimeout(pausing); pausing = setTimeout(check, 250); });

remember();
document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
const run = document.querySelector("[data-live]"), polled = document.querySelector("[data-poll]");
if (run) watch(run);
if (polled) setInterval(() => { if (!document.hidden) refresh(); }, 1000 * polled.dataset.poll);
setInterval(() => document.querySelectorAll("[data-since]").forEach(one => {
  one.textContent = took(Math.max(0, Date.now() / 1000 - one.dataset.since));
}), 1000);
