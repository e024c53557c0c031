import { version } from 'gambol';

const out = document.getElementById('out');
if (out) out.textContent = `gambol ${await version()}`;
