// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace binade::host {

/// An exported Python file, run beside the engine.
struct PythonProof {
  std::string not_run;                 ///< why Python did not run; empty: it did
  std::string python;                  ///< program that ran
  std::string torch;                   ///< its version of torch: `2.11.0+cpu`
  bool identical = false;              ///< all outputs, gradients and buffers have the engine's bits and dtypes
  std::string first_difference;        ///< of the compared tensors; empty if identical
  std::string skipped;                 ///< a mode that was not compared, with the reason; usually empty
  std::size_t tensors = 0;             ///< number compared, over train mode, eval mode, and eval mode without gradients
  std::size_t op_calls = 0;            ///< number whose dtypes were compared
  std::vector<std::string> different;  ///< op calls that Python runs in another format than the policy
  std::vector<std::string> extra;      ///< op calls of Python that the policy has no name for
  std::vector<std::string> missing;    ///< op calls of the policy that Python did not reach

  /// Whether Python ran and does something else than the engine.
  bool differs() const { return not_run.empty() && (!identical || !different.empty() || !extra.empty()); }
};

struct PythonProofOptions {
  std::string python;               ///< program; empty: $BINADE_PYTHON, else `python3`
  std::string model;                ///< `module.py:make_model`, which returns the nn.Module; empty: does not run
  std::vector<std::string> inputs;  ///< SPECs of forward's inputs
  std::string run;                  ///< a run description, whose data is the input without SPECs; may be empty
  std::uint64_t seed = 7;
};

/// Runs the TorchScript model `file` by the engine under `policy`, on the CPU with native execution, and the person's
/// Python model with the exported `text` on the same weights, inputs and random numbers. A Python that cannot be
/// started or has no torch 2.11 is a reason in `not_run`. Throws Error{kBadModel} if the person's program fails or ends
/// before the comparison, or its parameters have other names.
PythonProof prove_in_python(const std::string& file, const policy::Policy& policy, const std::string& text,
                            const PythonProofOptions& options);

/// The result for people: `Python ran the file: ...`.
std::string python_proof_text(const PythonProof& proof);

}  // namespace binade::host
