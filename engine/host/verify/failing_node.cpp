// SPDX-License-Identifier: Apache-2.0
#include "engine/host/verify/failing_node.h"

#include "engine/autocast/tf32.h"

#include <ATen/record_function.h>

namespace binade::host {

namespace {

thread_local std::optional<std::uint64_t> last_begun;

std::unique_ptr<at::ObserverContext> begun(const at::RecordFunction& function) {
  if (function.seqNr() >= 0) last_begun = static_cast<std::uint64_t>(function.seqNr());
  return nullptr;
}

}  // namespace

void NodesOfCalls::before(graph::Call& call) {
  calls_.push_back({autocast::next_node(), 0, &call.site});
}

void NodesOfCalls::after(graph::Call& /*call*/) {
  calls_.back().end = autocast::next_node();
}

const graph::Site* NodesOfCalls::made(std::uint64_t node) const {
  for (const Range& call : calls_) {
    if (node >= call.first && node < call.end) return call.site;
  }
  return nullptr;
}

NodeWatch::NodeWatch() {
  last_begun.reset();
  callback_ =
      at::addThreadLocalCallback(at::RecordFunctionCallback(&begun).scopes({at::RecordScope::BACKWARD_FUNCTION}));
}

NodeWatch::~NodeWatch() {
  at::removeCallback(callback_);
}

std::optional<std::uint64_t> NodeWatch::last() const {
  return last_begun;
}

}  // namespace binade::host
