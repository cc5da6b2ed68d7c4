// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::confine {

/// Opens single files for a confined process, in the process that started it. Landlock allows whole folders, but a run
/// file, the files that SQLite keeps beside it, and a saved model are to be the only things that change in theirs. Used
/// on one thread, which polls descriptor().
class FileBroker {
 public:
  FileBroker();
  ~FileBroker();
  FileBroker(const FileBroker&) = delete;
  FileBroker& operator=(const FileBroker&) = delete;

  /// Allows to open, rename and remove `path`, what SQLite keeps beside it, and its unfinished `.PID-NUMBER.part`.
  void allow_output(const std::string& path);
  /// Allows the same for each name in this folder that is a checkpoint's: see is_checkpoint_name().
  void allow_checkpoints(const std::string& folder);
  /// Allows to open `path` for reading.
  void allow_read(const std::string& path);

  /// Readable if a question waits, or once the confined process has closed its end; -1 after answer() reported that.
  int descriptor() const { return ours_; }
  /// Answers one question. Returns false once the confined process has ended or takes no answers; nothing is answered
  /// after that.
  bool answer();

  /// In the confined process, after fork(): sends its questions to this broker from now on. Returns the descriptor.
  int become_client();
  /// In the starting process, after fork().
  void close_client();

 private:
  bool answer_one();
  bool allows(const std::string& path, bool writes) const;

  int ours_ = -1;
  int theirs_ = -1;
  std::vector<std::string> outputs_;
  std::vector<std::string> checkpoints_;
  std::vector<std::string> reads_;
};

// As the functions of POSIX, with a call that the confinement refuses repeated by the broker, if this process has one.
// They return -1 and set errno on failure. Any thread may call them.

int open_file(const char* path, int flags, unsigned mode = 0);
int rename_file(const char* from, const char* to);
int unlink_file(const char* path);

}  // namespace binade::confine
