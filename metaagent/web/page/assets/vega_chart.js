// A chart drawn from its Vega-Lite spec, in the colours of the theme. The library comes from this server, when first needed.
import { h } from "vue";
const DARK = { "#1f2328": "#e9eaec", "#57606a": "#a1a7b1", "#e5e7eb": "#2d3036", "#9aa0a6": "#7d838d", "#767676": "#8f96a1", "#0072b2": "#6ea8e8", white: "transparent", "#ffffff": "transparent" };
const SETTLED = 150, LONGEST = 20000; // milliseconds
let library;

function load(address) {
  library ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: address, type: "module" });
    script.onerror = () => { library = undefined; reject(new Error(address)); };
    const late = setTimeout(script.onerror, LONGEST);
    script.onload = () => { clearTimeout(late); resolve(); };
    document.head.append(script);
  });
  return library;
}

function recoloured(value, colours) {
  if (Array.isArray(value)) return value.map((each) => recoloured(each, colours));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, recoloured(each, colours)]));
  return typeof value === "string" ? colours[value.toLowerCase()] ?? value : value;
}

export default {
  props: { spec: Object, label: String, library: String, texts: Object },
  data: () => ({ state: "loading" }),
  mounted() {
    this.watcher = new MutationObserver(() => { if (this.dark !== this.isDark()) this.draw(); });
    this.watcher.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.draw();
    this.sizes = new ResizeObserver(() => { // drawn anew for another width, once it stays: a chart made smaller cannot be read
      clearTimeout(this.due);
      if (this.drawn && this.$refs.place.clientWidth !== this.width) this.due = setTimeout(this.draw, SETTLED);
    });
    this.sizes.observe(this.$refs.place);
  },
  unmounted() { clearTimeout(this.due); this.sizes.disconnect(); this.watcher.disconnect(); this.drawn?.finalize(); },
  methods: {
    isDark: () => document.body.classList.contains("body--dark"),
    async draw() {
      this.dark = this.isDark();
      this.width = this.$refs.place.clientWidth;
      try {
        await load(this.library);
        const plain = recoloured(JSON.parse(JSON.stringify(this.spec)), this.dark ? DARK : { white: "transparent" });
        const room = this.width - 34;
        plain.autosize = { type: "fit-x", contains: "padding" };
        if (typeof plain.width === "number") plain.width = Math.max(260, room);
        delete plain.title;
        const given = plain.config ?? {};
        plain.config = {
          ...given,
          font: getComputedStyle(document.body).fontFamily,
          tooltipFormat: { numberFormat: "," },
          mark: { ...given.mark, tooltip: { content: "encoding" } },
          text: { ...given.text, tooltip: null },
        };
        this.drawn?.finalize();
        this.drawn = await window.vegaEmbed(this.$refs.canvas, plain, { actions: false, renderer: "svg", ast: true, tooltip: { theme: "custom" }, logLevel: 1 });
        this.state = this.$refs.canvas.querySelector("svg") ? "ready" : "failed";
      } catch (problem) {
        console.warn("chart", problem);
        this.state = "failed";
      }
    },
  },
  render() {
    const words = this.state === "ready" ? null : h("p", { class: "muted small", role: "status" }, this.texts[this.state]);
    return h("div", { class: "chart-place", ref: "place" }, [words, h("div", { ref: "canvas", role: "img", "aria-label": this.label })]);
  },
};
