// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"
#include "engine/confine/file_broker.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace binade::confine {

/// Why processes cannot be confined fully here, as a sentence: `This kernel has no Landlock.` Empty if they can.
std::string why_unavailable();

/// Whether this system has any part of the confinement: Linux, where limits of memory and files always apply.
bool is_possible_in_part();

class ScratchFolder;

/// A copy of this process, confined before it runs anything, as far as the kernel can: see why_unavailable(). Threads
/// are not copied: start it while this process has one. It gets a temporary folder of its own, which is removed with
/// this object. The system kills it if this process is killed. Used on one thread.
class ConfinedProcess {
 public:
  /// Starts the process, which runs `run` and ends with the code that it returns. `keep` are the descriptors above 2
  /// that stay open in it. Throws Error{kInternal} if it cannot be started.
  ConfinedProcess(const Access& access, const std::function<int()>& run, const std::vector<int>& keep = {});
  /// Kills the process if it still runs.
  ~ConfinedProcess();
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;

  const Access& access() const { return access_; }
  FileBroker& broker() { return broker_; }
  int id() const { return id_; }

  /// Answers the process's questions until it ends; see wait().
  int serve_files();
  /// Waits for its end. Returns its exit code, or the negative number of the signal that ended it.
  int wait();
  /// Kills it if it still runs. Returns as wait() does.
  int end();

 private:
  Access access_;
  FileBroker broker_;
  std::unique_ptr<ScratchFolder> scratch_;
  std::vector<std::string> made_;  ///< folders of the access that did not exist; removed if they stay empty
  int id_ = -1;
};

/// Runs `run` in a confined copy of this process and returns its exit code. SIGTERM, SIGHUP and a SIGINT of `kill` are
/// passed on; that of a terminal reaches both anyway. If a signal ends the copy, this process ends by it too. A copy
/// whose starter was killed gets SIGTERM. `keep`: see ConfinedProcess. `started` is called in this process once the
/// copy runs, before anything is waited for: it may start threads.
int run_confined(const Access& access, const std::function<int()>& run, const std::vector<int>& keep = {},
                 const std::function<void()>& started = {});

/// What a confined copy of this process wrote to standard output, and its exit code, or the negative number of the
/// signal that ended it.
struct ConfinedOutput {
  std::string text;
  int code = 0;
};

/// Runs `run` as run_confined() does, for work that may crash: a signal ends the copy alone. Its standard error is
/// discarded. The output must fit into a pipe (64 KiB), since it is read at the end.
ConfinedOutput output_of_confined(const Access& access, const std::function<int()>& run);

}  // namespace binade::confine
