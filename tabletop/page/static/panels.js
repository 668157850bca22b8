// What stands around the table: forms, tray, files, links, exports, gallery, maps and photo.

import * as exporting from "./exports.js";
import * as files from "./files.js";
import * as forms from "./forms.js";
import * as layers from "./layers.js";
import * as photo from "./photo.js";
import * as scenarios from "./scenarios.js";
import * as tray from "./tray.js";

/** Begin all of it. A table in the address is opened before this is done, so that nothing else is shown first. */
export async function start(page) {
  tray.start(page);
  layers.start(page);
  photo.start(page);
  forms
    .start(page)
    .catch((error) => page.panels.tell(`The form could not be made: ${error.sentence ?? error.message}`, { kind: "warning" }));
  const opened = files.start(page);
  scenarios.start(page);
  exporting.start(page);
  await opened;
}
