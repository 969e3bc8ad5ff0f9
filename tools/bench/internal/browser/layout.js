// Shows the page in frames of several widths and fonts and writes what collides,
// or sticks out, into the element "result", as JSON.
const page = JSON.parse(document.getElementById("page").textContent);
const complaints = [];
let seen = 0;

function box(element) {
  const r = element.getBoundingClientRect();
  return { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
}

// collide allows for a pixel, by which rounding and antialiasing differ.
function collide(a, b) {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
}

function measure(frame, where) {
  const doc = frame.contentDocument;
  const complain = (text) => complaints.push(`${where}: ${text}`);
  const wide = doc.documentElement.scrollWidth - frame.clientWidth;
  if (wide > 0) complain(`the page is ${wide} pixels wider than the window`);
  for (const svg of doc.querySelectorAll("svg")) {
    if (svg.getClientRects().length === 0) continue; // not shown at this width
    const outline = box(svg.closest("figure") ?? svg);
    const texts = [...svg.querySelectorAll("text")].map((t) => ({ name: t.textContent, ...box(t) }));
    // Bars and points are filled, lines are not.
    const marks = [...svg.querySelectorAll("path")].filter((p) => frame.contentWindow.getComputedStyle(p).fill !== "none").map(box);
    seen += texts.length;
    texts.forEach((t, i) => {
      if (t.left < outline.left - 1 || t.right > outline.right + 1 || t.top < outline.top - 1 || t.bottom > outline.bottom + 1) complain(`"${t.name}" sticks out`);
      for (const u of texts.slice(i + 1)) if (collide(t, u)) complain(`"${t.name}" collides with "${u.name}"`);
      for (const m of marks) if (collide(t, m)) complain(`"${t.name}" collides with a bar or point`);
    });
  }
  return doc;
}

async function look() {
  for (const width of [390, 1000, 1720]) {
    for (const font of ["", "DejaVu Sans", "Liberation Sans", "monospace"]) {
      const frame = document.createElement("iframe");
      frame.style = `width: ${width}px; height: 2000px; border: 0`;
      const loaded = new Promise((resolve) => { frame.onload = resolve; });
      frame.srcdoc = page;
      document.body.append(frame);
      await loaded;
      if (font) {
        const style = frame.contentDocument.createElement("style");
        style.textContent = `* { font-family: "${font}", ${font} !important; }`;
        frame.contentDocument.head.append(style);
      }
      await frame.contentDocument.fonts.ready;
      measure(frame, `${width} pixels, ${font || "the page's font"}`);
      frame.remove();
    }
  }
}

look().catch((e) => complaints.push(`the script failed: ${e}`)).finally(() => {
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = JSON.stringify({ seen, complaints });
  document.body.replaceChildren(result);
});
