// The box to write in: Enter sends (not while a syllable is being composed), files are dropped, chosen or pasted.
import { h, reactive } from "vue";

export default {
  props: { texts: Object, working: Boolean, answering: Boolean, draftKey: String, upload: String },
  emits: ["send", "stop"],
  data: () => ({ text: "", files: [], dropping: false, problem: "" }),
  mounted() {
    this.text = sessionStorage.getItem(this.draftKey) ?? "";
    this.$nextTick(this.fit);
    if (matchMedia("(min-width: 861px)").matches) this.$refs.box.focus();
    this.over = (event) => { if (event.dataTransfer?.types.includes("Files")) { event.preventDefault(); this.dropping = true; } };
    this.drop = (event) => { if (event.dataTransfer?.files.length) { event.preventDefault(); this.add(event.dataTransfer.files); } this.dropping = false; };
    this.leave = (event) => { if (!event.relatedTarget) this.dropping = false; };
    document.addEventListener("dragover", this.over);
    document.addEventListener("drop", this.drop);
    document.addEventListener("dragleave", this.leave);
  },
  unmounted() {
    document.removeEventListener("dragover", this.over);
    document.removeEventListener("drop", this.drop);
    document.removeEventListener("dragleave", this.leave);
  },
  methods: {
    fit() { const box = this.$refs.box; if (box && !CSS.supports("field-sizing", "content")) { box.style.height = "auto"; box.style.height = `${Math.min(box.scrollHeight, 200)}px`; } },
    write(text) { this.text = text; sessionStorage.setItem(this.draftKey, text); this.$nextTick(this.fit); },
    clear() { this.write(""); this.files = []; this.problem = ""; },
    async add(files) {
      for (const file of files) {
        const entry = reactive({ name: file.name, id: "", size: file.size });
        this.files.push(entry);
        try {
          const form = new FormData();
          form.append("file", file);
          const response = await fetch(this.upload, { method: "POST", body: form });
          const said = await response.json();
          if (!response.ok) throw new Error(said.detail ?? said.title ?? this.texts.refused);
          entry.id = said.id;
        } catch (problem) {
          this.files = this.files.filter((each) => each !== entry);
          const said = problem.message || this.texts.refused;
          this.problem = said.startsWith(file.name) ? said : `${file.name}: ${said}`;
        }
      }
    },
    send() {
      const text = this.text.trim();
      if (!text || this.working || this.files.some((file) => !file.id)) return;
      if (document.body.dataset.gone) { this.problem = this.texts.offline; return; }
      this.problem = "";
      window.dispatchEvent(new Event("metaagent:sent"));
      this.$emit("send", { text, files: this.files.map((file) => ({ id: file.id, name: file.name })) });
      this.clear();
    },
    key(event) {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      this.send();
    },
    icon(d) { return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d })); },
    chip(file) {
      return h("span", { class: "chip" }, [
        h("span", { class: "clip" }, file.name), file.id ? null : h("span", this.texts.uploading),
        h("button", { class: "button quiet icon-only", style: "min-height:24px;min-width:24px;padding:2px", type: "button", "aria-label": this.texts.remove.replace("#", file.name), onClick: () => { this.files = this.files.filter((each) => each !== file); } }, this.icon("M6 6l12 12M18 6L6 18")),
      ]);
    },
  },
  render() {
    const button = (label, icon, more, kind = "quiet") => h("button", { class: ["button", kind, "icon-only"], type: "button", "aria-label": label, title: label, ...more }, this.icon(icon));
    return h("form", { class: ["composer", { dropping: this.dropping }], onSubmit: (event) => { event.preventDefault(); this.send(); } }, [
      this.problem ? h("p", { class: "small", role: "alert", style: "color:var(--bad)" }, this.problem) : null,
      this.files.length ? h("div", { class: "row-line" }, this.files.map(this.chip)) : null,
      h("textarea", { ref: "box", rows: 1, value: this.text, "aria-label": this.texts.label, placeholder: this.texts[this.dropping ? "drop" : this.answering ? "answer" : "placeholder"], onInput: (event) => this.write(event.target.value), onKeydown: this.key, onPaste: (event) => { if (event.clipboardData.files.length) this.add(event.clipboardData.files); } }),
      h("div", { class: "composer-row" }, [
        button(this.texts.attach, "M19 11l-7.5 7.5a4 4 0 0 1-6-6L13 5a2.7 2.7 0 0 1 4 4l-7.5 7.5a1.3 1.3 0 0 1-2-2L14 8", { onClick: () => this.$refs.files.click() }),
        h("input", { ref: "files", type: "file", multiple: true, hidden: true, tabindex: -1, "aria-label": this.texts.attach, onChange: (event) => { this.add(event.target.files); event.target.value = ""; } }),
        h("span", { class: "grow" }),
        this.working
          ? button(this.texts.stop, "M7 7h10v10H7z", { onClick: () => this.$emit("stop") }, "")
          : button(this.texts.send, "M12 19V5M6 11l6-6l6 6", { type: "submit", disabled: !this.text.trim() }, "main-action"),
      ]),
    ]);
  },
};
