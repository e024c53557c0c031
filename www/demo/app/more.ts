// Marks elements that scroll with the directions in which more of their content follows, for a fade at these edges.

/**
 * Keeps `data-more` of an element up to date: a list of `left`, `right`, `above` and `below`, separated by spaces. Call the returned
 * function after a change of the content that does not change the size of the element.
 */
export function showMore(scroller: HTMLElement, marked: HTMLElement = scroller): () => void {
  const update = (): void => {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = scroller;
    const more = [
      scrollLeft > 1 && 'left',
      scrollWidth - clientWidth - scrollLeft > 1 && 'right',
      scrollTop > 1 && 'above',
      scrollHeight - clientHeight - scrollTop > 1 && 'below',
    ].filter(Boolean);
    marked.dataset['more'] = more.join(' ');
  };
  scroller.addEventListener('scroll', update, { passive: true });
  new ResizeObserver(update).observe(scroller);
  update();
  return update;
}
