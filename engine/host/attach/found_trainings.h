// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/attach_folder.h"
#include "engine/host/attach/socket_sign.h"
#include "engine/wire/attach.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::host {

/// A training of this user to which an explorer may attach.
struct FoundTraining {
  SocketSign sign;
  wire::AttachedRun run;  ///< without an answer: as far as the sign says
  std::string why{};      ///< why it does not answer, as a sentence; empty: it does
};

/// All trainings of this user, the oldest first. Sockets of dead processes are removed. Waits up to two seconds in
/// total for their answers. Folders that are refused are reported to standard error.
std::vector<FoundTraining> find_trainings();

/// Connects to the training that `run` names: its name, its process, its run file or its run description; empty: the
/// only one. Returns the descriptor, which the caller closes. Throws Error{kBadRun} if there is none, and
/// Error{kUsage} if there are several: the message lists them.
int connect_to_training(const std::string& run);

/// A training for people: `4711  cnn  /runs/cnn.binade`.
std::string training_line(const FoundTraining& training);

}  // namespace binade::host
