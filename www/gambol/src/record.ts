/**
 * Records a viewer to a file: video, GIF, animated PNG, single pictures or a sprite sheet, frame by frame.
 *
 * ```js
 * import { record } from 'gambol/record';
 *
 * const film = await record(viewer, { clip: 'Walk', format: 'gif', width: 320, height: 320, fps: 25 });
 * ```
 *
 * @module gambol/record
 */

// With these two, this entry needs the same files as the others, so bundling puts these into one script.
export { loadAsset } from './api/asset.ts';
/** @internal */
export { createViewerIn } from './api/create-viewer.ts';
export { GambolError } from './base/errors.ts';
export { record, recordFormats } from './record/record.ts';
export { recordSession, replaySession, type ReplayOptions, type SessionRecording } from './record/session.ts';
export { sheetLayout, type SheetLayout } from './record/sheet.ts';
export type { Session, SessionCall, SessionTopic, SessionValue } from './record/session-data.ts';
export type { RecordCodec, RecordFormat, RecordOptions, RecordProgress, RecordUnsupported } from './record/options.ts';
