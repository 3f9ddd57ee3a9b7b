import js from "@eslint/js";
import globals from "globals";

const RULES = {
  eqeqeq: "error",
  "max-lines": ["error", { max: 300 }], // a module has one job
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

export default [
  { ignores: ["static/vendor/", "tests/vendor/", "var/", ".venv/"] },
  js.configs.recommended,
  { rules: RULES },
  { files: ["static/js/**"], languageOptions: { globals: { ...globals.browser, htmx: "readonly" } } },
  { files: ["static/js/theme.js"], languageOptions: { sourceType: "script" } }, // runs before anything is painted
  { files: ["tests/js/**"], languageOptions: { globals: globals.node } },
];
