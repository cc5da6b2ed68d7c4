// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of attached explorers, slow links and files of another computer.

#include "engine/wire/attach.h"
#include "engine/wire/far_files.h"
#include "engine/wire/fields.h"

namespace binade::wire {

BINADE_FIELDS(LinkLimits, bytes_per_second, batches_per_second, marks)
BINADE_FIELDS(LinkMark, number)
BINADE_FIELDS(LinkDetail, slow, delay_seconds, bytes_per_second, statistics, steps, reports)
BINADE_FIELDS(Peer, id, name, since)
BINADE_FIELDS(Peers, you, editor, peers)
BINADE_FIELDS(AttachedRun, name, process, host, run_file, since, step, peers)
BINADE_FIELDS(CaughtUp, step, steps, statistics)
BINADE_FIELDS(ListFolder, path, hidden)
BINADE_FIELDS(FolderEntry, name, folder, bytes, modified, readable)
BINADE_FIELDS(FolderList, path, parent, home, entries, left_out)
BINADE_FIELDS(ReadFile, file, copy, offset, bytes)
BINADE_FIELDS(FilePart, copy, ready, prepared, size, offset, data)

}  // namespace binade::wire
