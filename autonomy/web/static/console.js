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

let loading = false, again = false;
async function refresh() {
  if (loading) { again = true; return; }
  loading = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok && !answer.redirected) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch { /* the stream says when the server is there again */ }
  loading = false;
  if (again) { again = false; refresh(); }
}

function watch(run) {
  const lost = document.getElementById("lost");
  const stream = new EventSource(run.dataset.live);
  stream.addEventListener("changed", () => { if (lost) lost.hidden = true; refresh(); });
  stream.addEventListener("ended", () => { stream.close(); refresh(); });
  stream.onopen = () => { if (lost) lost.hidden = true; };
  stream.onerror = () => { if (lost) lost.hidden = false; };
  addEventListener("pagehide", () => stream.close());
}

function took(seconds) {
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  const minutes = Math.floor(seconds / 60), rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return minutes < 60 ? `${minutes} min ${rest} s` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

remember();
const run = document.querySelector("[data-live]"), polled = document.querySelector("[data-poll]");
if (run) watch(run);
if (polled) setInterval(() => { if (!document.hidden) refresh(); }, 1000 * polled.dataset.poll);
setInterval(() => document.querySelectorAll("[data-since]").forEach(one => {
  one.textContent = took(Math.max(0, Date.now() / 1000 - one.dataset.since));
}), 1000);
