// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/model_calls.h"

#include <initializer_list>
#include <random>
#include <string>

namespace binade::test {

/// An op call by its parts. Its ordinal counts those of the same op in the same module of `model`.
void add_call(policy_tools::ModelCalls& model, const std::string& path, const std::string& op);

/// A model of op calls `path/op`, each of which is plain: no view, no composite op, no protected argument.
policy_tools::ModelCalls model_of(std::initializer_list<std::pair<const char*, const char*>> calls);

/// A model with a few layers, views, composite ops and protected arguments.
policy_tools::ModelCalls random_model(std::mt19937& random);

/// A policy for a model: every base list, rules for modules, op calls, single calls, everything and the loss, op
/// changes.
policy::Policy random_policy(const policy_tools::ModelCalls& model, std::mt19937& random);

/// Number of rules and op changes.
std::size_t size_of(const policy::Policy& policy);

/// A rule for one match.
policy::SiteRule rule_for(const std::string& match, const formats::Format& format, const std::string& why = {});

}  // namespace binade::test
