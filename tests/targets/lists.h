// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/targets/target.h"

#include <string>

namespace binade::test {

/// A policy that lists can state: no results of a fixed dtype, and a name for every op.
policy::Policy plainLists();

/// What a target writes for a policy on madeUpModel(), and how it reads a text for that model.
std::string textBy(const char* target, const policy::Policy& policy);
targets::Read readBy(const char* target, const std::string& text);

/// The message with which a target refuses a text; empty if it reads it.
std::string refusalBy(const char* target, const std::string& text);

bool mentions(const std::string& text, const std::string& part);

/// Whether a text states that it cannot express something of an op call; `part` is in the message.
bool cannotSay(const targets::Written& written, const char* part, const char* site);

}  // namespace binade::test
