// Light and dark: as the system has it, until somebody chooses.

import { html } from "../parts/dom.js";

/** A button that changes between light and dark. */
export function themeButton() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches);
  const button = html("button", {
    type: "button", class: "theme",
    click() {
      root.dataset.theme = isDark() ? "light" : "dark";
      draw();
    },
  });
  const draw = () => { button.textContent = isDark() ? "Light colours" : "Dark colours"; };
  draw();
  return button;
}
