// The front page: Pip, the copy buttons and the scenes.

import { themeButton } from './app/theme.ts';
import { installCopyButtons } from './front/copy.ts';
import { showPip } from './front/pip.ts';
import { installScenes } from './front/scenes.ts';

themeButton();
installCopyButtons();
installScenes();
// Without WebGL 2 the poster stays, and the first scene has the message.
showPip().catch((error: unknown) => console.warn(error));
