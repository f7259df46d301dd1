// The plan of a turn: steps in columns by what they wait for, with lines between them, filled as they run.
import { h } from "vue";

function depths(steps) {
  const known = new Map(steps.map((step) => [step.id, step]));
  const found = new Map();
  const depth = (id, seen) => {
    if (found.has(id)) return found.get(id);
    const before = (known.get(id)?.after ?? []).filter((each) => known.has(each) && !seen.has(each));
    const value = before.length ? 1 + Math.max(...before.map((each) => depth(each, new Set([...seen, id])))) : 0;
    found.set(id, value);
    return value;
  };
  steps.forEach((step) => depth(step.id, new Set()));
  return found;
}

export default {
  props: { steps: Array, texts: Object },
  data: () => ({ now: Date.now(), paths: [], size: [0, 0] }),
  computed: {
    columns() {
      const found = depths(this.steps);
      const columns = [];
      this.steps.forEach((step) => (columns[found.get(step.id)] ??= []).push(step));
      return columns.filter(Boolean);
    },
  },
  mounted() {
    this.timer = setInterval(() => { if (this.steps.some((step) => step.status === "in_progress")) this.now = Date.now(); }, 500);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.$el);
    this.draw();
  },
  updated() { this.draw(); },
  unmounted() { clearInterval(this.timer); this.sizes.disconnect(); },
  methods: {
    draw() {
      const at = (id) => this.$el.querySelector(`[data-step="${CSS.escape(id)}"]`);
      const paths = [];
      for (const step of this.steps) for (const before of step.after) {
        const [from, to] = [at(before), at(step.id)];
        if (!from || !to || from.offsetLeft >= to.offsetLeft) continue;
        const [x1, y1] = [from.offsetLeft + from.offsetWidth, from.offsetTop + from.offsetHeight / 2];
        const [x2, y2] = [to.offsetLeft, to.offsetTop + to.offsetHeight / 2];
        const middle = (x1 + x2) / 2;
        paths.push(`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`);
      }
      if (paths.join() !== this.paths.join()) this.paths = paths;
    },
    seconds(step) {
      if (!step.started) return "";
      const end = step.ended ? Date.parse(step.ended) : this.now;
      const taken = Math.max(0, (end - Date.parse(step.started)) / 1000);
      return this.texts.seconds.replace("#", taken < 0.1 ? "< 0.1" : taken < 10 ? taken.toFixed(1) : Math.round(taken));
    },
    step(step) {
      const percent = step.status === "completed" || step.status === "failed" ? 100 : step.progress;
      return h("li", { class: ["step", step.status], "data-step": step.id, key: step.id }, [
        h("span", { class: "name" }, [h("span", { class: "state", "aria-hidden": "true" }), h("span", step.title)]),
        h("span", { class: "about" }, [h("span", this.texts[step.status] + (step.tries > 1 ? ` · ${this.texts.tries.replace("#", step.tries)}` : "")), h("span", this.seconds(step))]),
        step.note ? h("span", { class: "note", title: step.note }, step.note) : null,
        h("span", { class: "fill", style: { width: `${percent}%` }, "aria-hidden": "true" }),
      ]);
    },
  },
  render() {
    return h("div", { class: "plan", role: "group", tabindex: "0", "aria-label": this.texts.label }, [
      h("svg", { class: "edges", "aria-hidden": "true" }, this.paths.map((d) => h("path", { d }))),
      ...this.columns.map((column) => h("ol", column.map(this.step))),
    ]);
  },
};
