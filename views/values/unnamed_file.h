// SPDX-License-Identifier: Apache-2.0
#pragma once

class QByteArray;

namespace binade::views {

/// Opens a new file without a name in a folder, for reading and writing. Returns its descriptor, or -1 if the system or
/// the file system has none.
int openUnnamedFile(const QByteArray& folder);

}  // namespace binade::views
