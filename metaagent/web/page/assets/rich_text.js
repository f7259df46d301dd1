// Text of an answer as blocks and parts that the server has read. Everything is a text node: markup in it stays text.
import { h } from "vue";

// Browsers break lines at hyphens: a date stays on one line.
const DATE = /(\d{4}-\d\d(?:-\d\d)?(?: \d\d:\d\d)?)/;
function unbroken(text) {
  return String(text ?? "").split(DATE).map((part, n) => (n % 2 ? h("span", { class: "unbroken" }, part) : part));
}

function inline(part, emit) {
  if (part.cite) {
    return h("button", { class: "cite", type: "button", "aria-label": part.label, onClick: () => emit("cite", part.cite) }, String(part.cite));
  }
  if (part.code) return h("code", part.text);
  return part.strong ? h("strong", part.text) : unbroken(part.text);
}

export default {
  props: { blocks: Array },
  emits: ["cite"],
  render() {
    const line = (parts) => parts.map((part) => inline(part, this.$emit));
    return h("div", { class: "rich" }, this.blocks.map((block) =>
      block.items
        ? h(block.tag, block.items.map((parts) => h("li", line(parts))))
        : h(block.tag, line(block.parts))
    ));
  },
};
