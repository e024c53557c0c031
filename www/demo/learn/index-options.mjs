// The options of the search's index. The build and the page must have the same.

/** Words, and the parts of names: "crossFadeTo" is found by "crossfadeto", "cross" and "fade". */
function tokenize(text) {
  return text.split(/[^\p{L}\p{N}_-]+/u).flatMap((word) => {
    const parts = word.split(/[_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    return (parts.length > 1 ? [word, ...parts] : parts).filter((part) => part !== '');
  });
}

export const INDEX = {
  fields: ['title', 'terms', 'section', 'page', 'text'],
  storeFields: ['url', 'title', 'page', 'kind', 'excerpt'],
  tokenize,
};
