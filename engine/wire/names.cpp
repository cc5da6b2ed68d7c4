// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/enum_text.h"

namespace binade::wire {

std::string name(WatchedTensor::Kind kind) {
  return std::string(word(kind));
}
std::string name(Event::Kind kind) {
  return std::string(word(kind));
}
std::string name(Direction direction) {
  return std::string(word(direction));
}
std::string name(Root::Fault fault) {
  return std::string(word(fault));
}
std::string name(Verdict verdict) {
  return std::string(word(verdict));
}
std::string name(SilentFault::Kind kind) {
  return std::string(word(kind));
}
std::string name(Outcome outcome) {
  return std::string(word(outcome));
}
std::string name(RunState state) {
  return std::string(word(state));
}

}  // namespace binade::wire
