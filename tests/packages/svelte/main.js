import 'gambol/element';
import { mount } from 'svelte';
import Character from './Character.svelte';

mount(Character, { target: document.querySelector('#app'), props: { src: '/sample.glb' } });
