// A passage of a document as blocks that the server has read: paragraphs, headings and tables, with the cited words marked.
// Everything is a text node: markup in it stays text.
import { h } from "vue";

const line = (parts) => parts.map((part) => (part.mark ? h("mark", part.text) : part.text));

export default {
  props: { blocks: Array },
  render() {
    return h("div", { class: "passage" }, this.blocks.map((block) =>
      block.rows
        ? h("div", { class: "table-place whole", tabindex: "0", role: "region", "aria-label": block.label },
            h("table", { class: "data" }, h("tbody", block.rows.map((row) => h("tr", row.map((cell) => h("td", { class: "wrap" }, line(cell))))))))
        : h(block.tag, line(block.parts))
    ));
  },
};
