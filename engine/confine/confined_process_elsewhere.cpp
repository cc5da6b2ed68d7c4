// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/confined_process.h"
#include "engine/confine/scratch_folder.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

// For systems other than Linux, which confine programs in ways of their own.

namespace binade::confine {

std::string why_unavailable() {
  return "Binade confines engines on Linux only.";
}

bool is_possible_in_part() {
  return false;
}

ConfinedProcess::ConfinedProcess(const Access& access, const std::function<int()>& /*run*/,
                                 const std::vector<int>& /*keep*/)
    : access_(access) {
  throw Error(ErrorCode::kInternal, why_unavailable());
}

ConfinedProcess::~ConfinedProcess() = default;

int ConfinedProcess::serve_files() {
  return wait();
}

int ConfinedProcess::wait() {
  return 1;
}

int ConfinedProcess::end() {
  return wait();
}

int run_confined(const Access& access, const std::function<int()>& run, const std::vector<int>& /*keep*/,
                 const std::function<void()>& started) {
  if (started) started();
  return ConfinedProcess(access, run).serve_files();
}

ConfinedOutput output_of_confined(const Access& access, const std::function<int()>& run) {
  return {{}, run_confined(access, run)};
}

ScratchFolder::ScratchFolder() = default;
ScratchFolder::~ScratchFolder() = default;

FileBroker::FileBroker() = default;
FileBroker::~FileBroker() = default;

void FileBroker::allow_output(const std::string& /*path*/) {}
void FileBroker::allow_checkpoints(const std::string& /*folder*/) {}
void FileBroker::allow_read(const std::string& /*path*/) {}

bool FileBroker::answer() {
  return false;
}
bool FileBroker::answer_one() {
  return false;
}

int open_file(const char* path, int flags, unsigned mode) {
  return ::open(path, flags, mode);
}

int rename_file(const char* from, const char* to) {
  return std::rename(from, to);
}

int unlink_file(const char* path) {
  return ::unlink(path);
}

}  // namespace binade::confine
