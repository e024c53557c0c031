import Character from './character.jsx';

export default function Page() {
  return <Character src="sample.glb" />;
}
