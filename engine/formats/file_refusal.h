// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade {

/// States that the confinement of this process refuses files from now on. Call it while there is one thread.
void set_confined();
bool is_confined();

enum class FileUse { kRead, kWrite };

/// Why a file could not be opened, as the end of a sentence, and the next step.
struct FileRefusal {
  std::string reason;
  std::string hint;
};

/// Explains the failure `error`, a value of errno, of a call that opens, creates or renames `file`. If this process is
/// confined and the permissions of the file allow this use, the confinement is the reason. Otherwise the reason is the
/// system's text of the error, and the hint is `hint`. Any thread may call it.
FileRefusal file_refusal(const std::string& file, int error, FileUse use, std::string hint);

/// Whether a text of LibTorch's names a refusal that can only be the confinement's: this process is confined, and the
/// text contains the system's words for it, as in `unable to open file <secret>: Permission denied (13)`.
bool names_confinement(const std::string& text);

/// The next step after such a failure of a model's code.
extern const char* const kModelRefusedHint;

}  // namespace binade
