import 'gambol/element';
import { createApp } from 'vue';
import Character from './character.vue';

createApp(Character, { src: '/sample.glb' }).mount('#app');
