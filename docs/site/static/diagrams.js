// Draws the diagrams of a page, in the colours of the theme as it is when the page is opened.
document.addEventListener("DOMContentLoaded", () => {
  const chosen = document.body.dataset.theme;
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  mermaid.initialize({ startOnLoad: false, theme: dark ? "dark" : "neutral" });
  for (const block of document.querySelectorAll(".highlight-mermaid")) {
    const diagram = document.createElement("pre");
    diagram.className = "mermaid";
    diagram.textContent = block.querySelector("pre").textContent;
    block.replaceWith(diagram);
  }
  mermaid.run();
});
