// Pages of text: the theme, the search, and the buttons that copy code.

import { themeButton } from './app/theme.ts';
import { installCopyButtons } from './front/copy.ts';
import { installSearch } from './learn/search.ts';

themeButton();
installSearch();
installCopyButtons();
