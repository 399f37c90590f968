// Lists that change while a person uses them.

/**
 * Shows `items` in `container`, in order. An item that has not changed keeps its element: the focus, an open menu and
 * the place on the page stay where they are.
 *
 * @param make an element for an item
 * @param key what tells items apart
 */
export function redraw(container, items, make, key = (item) => item.id) {
  const drawn = new Map([...container.children].map((element) => [element.dataset.key, element]));
  const wanted = items.map((item) => {
    const name = String(key(item));
    const source = JSON.stringify(item);
    const old = drawn.get(name);
    if (old?.source === source) return old;
    const element = make(item);
    element.dataset.key = name;
    element.source = source;
    return element;
  });
  const kept = new Set(wanted);
  for (const element of [...container.children]) if (!kept.has(element)) element.remove();
  wanted.forEach((element, index) => {
    const there = container.children[index] ?? null;
    if (there !== element) container.insertBefore(element, there);
  });
}
