/* SPDX-License-Identifier: BSD-3-Clause */
/* Optional interaction: the page can be read without it. */
"use strict";
(() => {
  const root = document.documentElement;
  const tip = document.getElementById("tip");
  const key = "orknot-theme";

  /* ---- light, dark, or as the system has it ---- */

  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");

  function kept() {
    try {
      return localStorage.getItem(key);
    } catch (error) { /* a page opened from a file may have no storage */
      return null;
    }
  }

  function setTheme(theme) {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
    try {
      localStorage.setItem(key, theme);
    } catch (error) { /* not saved: lasts until the page is closed */ }
  }

  let theme = themes.includes(kept()) ? kept() : "auto";
  setTheme(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
  });

  /* ---- text beside a node ---- */

  function showTip(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(x + 14, innerWidth - box.width - 8);
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = (y + 20 + box.height < innerHeight ? y + 18 : Math.max(8, y - box.height - 12)) + "px";
  }

  function hideTip() {
    tip.hidden = true;
  }

  /* The row has more text than the node: its cells, one per line. */
  function wordsOf(link, title) {
    const row = document.getElementById(link.getAttribute("href").slice(1));
    const cells = row && row.matches("tr") ? row.querySelectorAll("td[data-label]") : [];
    const lines = [title];
    for (const cell of cells) {
      if (cell.dataset.label === "waits for" && cell.textContent.trim()) lines.push("waits for rank " + cell.textContent.trim());
    }
    return lines.join("\n");
  }

  function nameNode(node, link) {
    const title = node.querySelector("title");
    if (!title) return null;
    const words = link ? wordsOf(link, title.textContent) : title.textContent;
    title.remove(); /* otherwise the browser shows it, too */
    return words;
  }

  function prepareNode(node) {
    const link = node.closest("a");
    const words = nameNode(node, link);
    const target = link || node;
    if (words === null) return;
    target.setAttribute("aria-label", words.replace("\n", ", "));
    if (!link) target.setAttribute("role", "img");
    target.addEventListener("pointermove", (event) => showTip(words, event.clientX, event.clientY));
    target.addEventListener("pointerleave", hideTip);
    target.addEventListener("focus", () => {
      const box = target.getBoundingClientRect();
      if (target.matches(":focus-visible")) showTip(words, box.left + box.width / 2, box.bottom - 10);
    });
    target.addEventListener("blur", hideTip);
  }

  /* ---- from a node to its row, from a row to its node ---- */

  function prepareLink(link, box) {
    const row = document.getElementById(link.getAttribute("href").slice(1));
    if (!row) return;
    link.addEventListener("click", (event) => {
      if (box.classList.contains("dragged")) event.preventDefault();
      hideTip();
      if (row.matches("tr")) for (const part of row.querySelectorAll("details")) part.open = true;
      if (!event.defaultPrevented) setTimeout(() => row.focus({ preventScroll: true }), 0);
    });
    for (const [on, off] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
      row.addEventListener(on, () => link.classList.add("lit"));
      row.addEventListener(off, () => link.classList.remove("lit"));
    }
  }

  /* ---- moving and zooming: the view box moves over the drawing ---- */

  const READABLE = 0.6; /* pixels to a point */
  const PAD = 12; /* around the drawing */

  class View {
    constructor(box) {
      this.box = box;
      this.view = box.querySelector(".view");
      this.svg = this.view.querySelector("svg");
      const [x, y, width, height] = this.svg.getAttribute("viewBox").split(/[\s,]+/).map(Number);
      this.whole = { x, y, width, height };
      this.pointers = new Map();
      box.classList.add("live");
      let before = 0;
      new ResizeObserver(() => {
        const width = this.view.clientWidth; /* its height is ours, and a phone's bars come and go */
        if (width > 0 && width !== before) this.begin();
        before = width;
      }).observe(this.view);
      this.addTools();
      this.listen();
    }

    /* As large as it was drawn if there is room, and no higher than a screen shows. */
    fit() {
      const width = this.view.clientWidth;
      const natural = (this.whole.height + 2 * PAD) * 4 / 3;
      const scaled = width * (this.whole.height + 2 * PAD) / (this.whole.width + 2 * PAD);
      const height = Math.max(180, Math.min(natural, Math.max(scaled, 260), 560, innerHeight * 0.75));
      const scale = Math.min(width / (this.whole.width + 2 * PAD), height / (this.whole.height + 2 * PAD), 4 / 3);
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", height);
      this.svg.style.height = height + "px";
      const w = width / scale;
      const h = height / scale;
      this.home = { x: this.whole.x + (this.whole.width - w) / 2, y: this.whole.y + (this.whole.height - h) / 2,
        width: w, height: h };
      this.show({ ...this.home });
      return scale;
    }

    /* At first it is readable; a drawing that does not fit then begins at its top left. */
    begin() {
      const scale = this.fit();
      if (scale >= READABLE) return;
      this.zoom(READABLE / scale);
      this.settle({ ...this.area, x: this.whole.x - PAD, y: this.whole.y - PAD });
    }

    /* Show an area that does not leave the drawing; what fits is in the middle. */
    settle(area) {
      const { whole } = this;
      const along = (at, size, start, length) => size >= length + 2 * PAD ? start + (length - size) / 2
        : Math.min(Math.max(at, start - PAD), start + length + PAD - size);
      this.show({ ...area, x: along(area.x, area.width, whole.x, whole.width),
        y: along(area.y, area.height, whole.y, whole.height) });
    }

    show(area) {
      this.area = area;
      this.svg.setAttribute("viewBox", [area.x, area.y, area.width, area.height].map((n) => n.toFixed(2)).join(" "));
      this.box.classList.toggle("zoomed", area.width < this.home.width * 0.999);
    }

    /* By dx, dy pixels; part of the drawing stays in sight. */
    move(dx, dy) {
      const scale = this.area.width / this.view.clientWidth;
      const { whole, area } = this;
      const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
      this.show({ ...area,
        x: clamp(area.x + dx * scale, whole.x - area.width * 0.8, whole.x + whole.width - area.width * 0.2),
        y: clamp(area.y + dy * scale, whole.y - area.height * 0.8, whole.y + whole.height - area.height * 0.2) });
    }

    /* The point below (x, y) of the window stays where it is. */
    zoom(factor, x, y) {
      const frame = this.view.getBoundingClientRect();
      const fx = x === undefined ? 0.5 : (x - frame.left) / frame.width;
      const fy = y === undefined ? 0.5 : (y - frame.top) / frame.height;
      const { area, home } = this;
      const width = Math.min(Math.max(area.width / factor, home.width / 24), home.width * 1.5);
      const height = width * home.height / home.width;
      this.show({ x: area.x + (area.width - width) * fx, y: area.y + (area.height - height) * fy, width, height });
    }

    addTools() {
      const tools = document.createElement("div");
      tools.className = "tools";
      for (const [text, label, act] of [["+", "Zoom in", () => this.zoom(1.3)], ["\u2212", "Zoom out", () => this.zoom(1 / 1.3)],
        ["Fit", "Show all", () => this.fit()]]) {
        const tool = document.createElement("button");
        tool.type = "button";
        tool.textContent = text;
        tool.setAttribute("aria-label", label);
        tool.addEventListener("click", act);
        tools.append(tool);
      }
      this.box.append(tools);
    }

    listen() {
      const { view } = this;
      view.addEventListener("keydown", (event) => this.press(event));
      view.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      view.addEventListener("pointerdown", (event) => this.down(event));
      view.addEventListener("pointermove", (event) => this.drag(event));
      for (const name of ["pointerup", "pointercancel", "pointerleave"])
        view.addEventListener(name, (event) => this.up(event));
      view.addEventListener("dragstart", (event) => event.preventDefault());
      view.addEventListener("dblclick", (event) => this.zoom(1.6, event.clientX, event.clientY));
    }

    press(event) {
      const step = 60;
      const act = { ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0),
        ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step), "+": () => this.zoom(1.3),
        "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.fit() }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    }

    /* The wheel scrolls the page; with Ctrl, or while the graph has the focus, it zooms the graph. */
    wheel(event) {
      if (!event.ctrlKey && !event.metaKey && !hasFocus(this.view)) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0018)), event.clientX, event.clientY);
    }

    down(event) {
      if (event.button !== 0) return;
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.way = 0;
      if (this.pointers.size === 1) this.box.classList.remove("dragged");
    }

    drag(event) {
      const last = this.pointers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      this.way += Math.hypot(now.x - last.x, now.y - last.y);
      if (this.pointers.size === 1 && this.way > 4) {
        if (!this.box.classList.contains("dragged")) this.view.setPointerCapture(event.pointerId);
        this.box.classList.add("dragged");
        hideTip();
        this.move(last.x - now.x, last.y - now.y);
      }
      if (this.pointers.size === 2) this.pinch(event.pointerId, last, now);
      this.pointers.set(event.pointerId, now);
    }

    pinch(id, last, now) {
      const [other] = [...this.pointers].filter(([name]) => name !== id).map(([, at]) => at);
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(now.x - other.x, now.y - other.y);
      this.box.classList.add("dragged");
      if (before > 0) this.zoom(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
      this.move((last.x - now.x) / 2, (last.y - now.y) / 2);
    }

    /* The click event that ends a drag comes after this: ignore it. */
    up(event) {
      if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
      setTimeout(() => this.box.classList.remove("dragged"), 0);
    }
  }

  function hasFocus(view) {
    return view.contains(document.activeElement);
  }

  for (const box of document.querySelectorAll(".graph-box")) {
    for (const link of box.querySelectorAll(".graph a")) prepareLink(link, box);
    for (const node of box.querySelectorAll(".graph .node")) prepareNode(node);
    new View(box);
  }

  /* ---- the ranks of a drawing stay in sight ---- */

  /* What the finding is about, if the end of the drawing, which is seen first, does not show it. */
  const MARKS = ".conflict, .unfit, .other, .switched, .access rect, .decided rect";
  function showMark(frame, svg) {
    const marks = [...svg.querySelectorAll(MARKS)].filter((e) => !e.closest(".follows"));
    const right = Math.max(...marks.map((e) => e.getBoundingClientRect().right)) + 72;
    const end = frame.getBoundingClientRect().right;
    if (marks.length > 0 && right < end) frame.scrollLeft -= end - right;
  }

  for (const frame of document.querySelectorAll(".scroll")) {
    const svg = frame.querySelector("svg");
    const parts = frame.querySelectorAll(".follows");
    const follow = () => {
      const drawing = svg.getBoundingClientRect();
      const hidden = frame.getBoundingClientRect().left - drawing.left;
      for (const part of parts) {
        const box = part.getBBox(); /* no further than to the end of the drawing */
        const way = Math.max(0, Math.floor(Math.min(hidden, drawing.width - box.x - box.width)));
        part.setAttribute("transform", "translate(" + way + ")");
      }
    };
    if (parts.length === 0) continue;
    frame.addEventListener("scroll", follow, { passive: true });
    new ResizeObserver(follow).observe(frame);
    showMark(frame, svg);
  }

  /* ---- texts to copy ---- */

  function select(text) {
    const range = document.createRange();
    range.selectNodeContents(text);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  async function copyText(event, text) {
    const button = event.target;
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = before; }, 1500);
    } catch (error) { /* not allowed: the reader can copy what is selected */
      select(text);
    }
  }

  function addCopy(text, where) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy";
    copy.addEventListener("click", (event) => copyText(event, text));
    where.after(copy);
  }

  for (const code of document.querySelectorAll(".command code")) addCopy(code, code);
  document.addEventListener("toggle", (event) => { /* one of many, so only when it is looked at */
    const part = event.target;
    if (!part.matches(".as-text") || part.querySelector("button")) return;
    addCopy(part.querySelector("pre"), part.querySelector("pre"));
  }, true);

  /* ---- findings: which of them are shown, and open ---- */

  const filter = document.getElementById("filter");
  const folded = [...document.querySelectorAll("details.finding, p.brief")];

  function filterFindings() {
    const words = filter.querySelector("input[type=search]").value.toLowerCase();
    const chosen = new Set([...filter.querySelectorAll("input:checked")].map((box) => box.value));
    let shown = 0;
    for (const kind of document.querySelectorAll("section.kind")) {
      const isChosen = [...chosen].some((severity) => kind.classList.contains(severity));
      const title = kind.querySelector("h2").textContent + " " + kind.querySelector(".tags").textContent;
      const all = title.toLowerCase().includes(words);
      let left = 0;
      for (const finding of kind.querySelectorAll("details.finding, p.brief")) {
        const fits = isChosen && (all || finding.textContent.toLowerCase().includes(words));
        finding.classList.toggle("filtered", !fits);
        left += fits;
      }
      kind.classList.toggle("filtered", left === 0);
      shown += left;
    }
    document.getElementById("left").textContent = shown < folded.length ? shown + " of " + folded.length : "";
  }

  function openAll(isOpen) {
    for (const finding of folded) if (finding.matches("details:not(.filtered)")) finding.open = isOpen;
  }

  /* A link to a finding, or to a part of it, opens it. */
  function openTarget() {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    let opened = false;
    for (let part = target; part; part = part.parentElement) {
      if (!part.matches("details:not([open])")) continue;
      part.open = true;
      opened = true;
    }
    if (opened) target.scrollIntoView();
  }

  if (filter) {
    filter.hidden = false;
    filter.addEventListener("input", filterFindings);
    document.getElementById("unfold").addEventListener("click", () => openAll(true));
    document.getElementById("fold").addEventListener("click", () => openAll(false));
  }
  for (const finding of document.querySelectorAll("details.finding > summary")) /* its address is that of the page */
    finding.addEventListener("click", () => {
      try {
        if (!finding.parentElement.open) history.replaceState(null, "", "#" + finding.parentElement.id);
      } catch (error) { /* not of a page opened from a file */ }
    });
  addEventListener("hashchange", openTarget);
  openTarget();

  addEventListener("scroll", hideTip, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });

  /* ---- on paper everything is open, and the graph whole ---- */

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.as-text)")];
    for (const part of opened) part.open = true;
  });
  addEventListener("afterprint", () => {
    for (const part of opened) part.open = false;
  });
})();
