// A labelled input or list. What is typed is told as text; nothing else of the event leaves the browser.
import { h } from "vue";

export default {
  props: { label: String, name: String, kind: String, given: String, hint: String, hiddenLabel: Boolean, options: Array },
  emits: ["typed", "entered"],
  data() { return { value: this.given }; },
  watch: { given(value) { this.value = value; } },
  methods: {
    take(event) { this.value = event.target.value; this.$emit("typed", this.value); },
    clear() { this.value = ""; this.$emit("typed", ""); },
  },
  render() {
    const shared = { class: "input", id: this.name, value: this.value };
    const input = this.options
      ? h("select", { ...shared, onChange: this.take }, this.options.map(([key, said]) => h("option", { value: key, selected: key === this.value }, said)))
      : h("input", { ...shared, type: this.kind, placeholder: this.hint || undefined, onInput: this.take, onChange: this.take, onKeydown: (event) => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); this.$emit("entered", this.value); } } });
    return h("div", { class: "field" }, [h("label", { for: this.name, class: { "hidden-text": this.hiddenLabel } }, this.label), input]);
  },
};
