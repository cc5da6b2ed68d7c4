// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/attach.h"
#include "engine/wire/far_files.h"

#include <cstdint>
#include <string>

namespace binade::test {

/// The explorers of a made-up training: this one, and, if asked for, `anna at desk`, who edits.
class FakePeers {
 public:
  /// `watch`: as in Hello.
  FakePeers(bool otherEdits, bool watch, const std::string& user);

  const wire::Peers& peers() const { return peers_; }
  bool edits() const { return peers_.editor == peers_.you; }
  void take() { peers_.editor = peers_.you; }
  void release() { peers_.editor = 0; }

 private:
  wire::Peers peers_;
};

/// The variable that names the file by which a fake `train` tells the fake `attach --list` its process.
constexpr const char* kFakeTrainingFile = "BINADE_FAKE_TRAINING";

/// Writes that file, if the variable is set.
void writeFakeTraining(std::int64_t process);

/// The training that a fake engine is attached to; the same in every process, except for its process: the one of
/// writeFakeTraining(), otherwise 4242.
wire::AttachedRun fakeTraining();

/// A folder of this computer, as the engine of another one lists it. Throws Error{kBadFile} for one that is not there.
wire::FolderList listFolder(const wire::ListFolder& wanted);

/// A part of a file of this computer. The copy is ready at the second request for it; a part has at most 4096 bytes.
/// Throws Error{kBadFile} for a file that is not there.
wire::FilePart readFile(const wire::ReadFile& wanted);

}  // namespace binade::test
