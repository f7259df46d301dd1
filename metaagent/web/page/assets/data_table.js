// A table that is sorted in the browser. Cells come twice: as they are compared, and as people read them.
import { h, toRaw } from "vue";

const MORE = 40; // rows that are added in one frame

function compare(a, b) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

export default {
  props: { columns: Array, rows: Array, shown: Array, texts: Object, first: Number },
  data() { return { by: -1, down: false, all: false, most: this.first }; },
  computed: {
    order() {
      const rows = toRaw(this.rows);
      const order = rows.map((_, index) => index);
      if (this.by < 0) return order;
      const sign = this.down ? -1 : 1;
      return order.sort((a, b) => {
        const [left, right] = [rows[a][this.by], rows[b][this.by]];
        return left === null || right === null ? compare(left, right) : sign * compare(left, right);
      });
    },
    visible() { return this.order.slice(0, this.most); },
  },
  methods: {
    sort(index) {
      if (this.by !== index) [this.by, this.down] = [index, this.columns[index].number];
      else this.down = !this.down;
    },
    toggle() {
      this.all = !this.all;
      this.most = this.first;
      if (this.all) this.grow();
    },
    grow() {
      if (!this.all || this.most >= this.order.length) return;
      this.most += MORE;
      requestAnimationFrame(() => setTimeout(this.grow));
    },
    async copy() {
      const clean = (cell) => (cell === null ? "" : String(cell)).replace(/[\t\r\n]+/g, " ");
      const lines = [this.columns.map((column) => clean(column.label)), ...this.order.map((index) => this.rows[index].map(clean))];
      await navigator.clipboard.writeText(lines.map((line) => line.join("\t")).join("\n"));
      window.dispatchEvent(new CustomEvent("metaagent:toast", { detail: this.texts.copied }));
    },
    heading(column, index) {
      const sorted = this.by === index;
      const mark = sorted ? (this.down ? "↓" : "↑") : "";
      const direction = this.down ? "descending" : "ascending";
      return h("th", { scope: "col", class: { number: column.number }, "aria-sort": sorted ? direction : undefined },
        h("button", { type: "button", title: this.texts.sort, onClick: () => this.sort(index) }, [column.label, h("span", { "aria-hidden": "true" }, mark)]));
    },
  },
  render() {
    const shown = toRaw(this.shown);
    const cells = (index) => shown[index].map((text, place) => h("td", { class: { number: this.columns[place].number }, title: text.length > 40 ? text : undefined }, text));
    return h("div", [
      h("div", { class: "table-place", tabindex: "0", role: "region", "aria-label": this.texts.label }, [
        h("table", { class: "data" }, [
          h("caption", { class: "hidden-text" }, this.texts.label),
          h("thead", h("tr", this.columns.map(this.heading))),
          h("tbody", this.visible.map((index) => h("tr", { key: index }, cells(index)))),
        ]),
      ]),
      this.order.length > this.first
        ? h("div", { style: "padding:6px 8px;border-top:1px solid var(--line)" },
            h("button", { class: "button quiet", type: "button", "aria-expanded": String(this.all), onClick: this.toggle }, this.all ? this.texts.fewer : this.texts.more))
        : null,
    ]);
  },
};
