// Elements with text only: names of a model never become markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.startsWith("aria") && name !== "role" && name !== "for" && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

export const byId = (id) => document.getElementById(id);
