// SPDX-License-Identifier: Apache-2.0
#include "app/session/simplify_job.h"

#include "engine/formats/error.h"
#include "engine/policy_tools/minimise.h"

#include <exception>
#include <utility>
#include <vector>

namespace binade::app {

namespace {

void countPatterns(const std::vector<policy_tools::Generalised::Pattern>& patterns, Simplified& result) {
  result.patterns = static_cast<int>(patterns.size());
  for (const auto& pattern : patterns) result.replaced += static_cast<int>(pattern.replaced.size());
}

Simplified simplified(Simplify how, const targets::Assignment& assignment) {
  Simplified result;
  result.how = how;
  result.before = assignment.policy;
  result.after = assignment.policy;
  policy_tools::ModelCalls calls;
  calls.keys = assignment.keys;
  calls.places = assignment.places;
  try {
    if (how == Simplify::kMinimise) {
      policy_tools::Minimised minimised = policy_tools::minimise(assignment.policy, calls);
      result.dropped = static_cast<int>(minimised.dropped.size());
      countPatterns(minimised.patterns, result);
      result.after = std::move(minimised.policy);
    } else {
      policy_tools::Generalised generalised = policy_tools::generalise(assignment.policy, calls);
      countPatterns(generalised.patterns, result);
      result.after = std::move(generalised.policy);
    }
  } catch (const Error& error) {
    result.problem = problemOf(error);
  } catch (const std::exception& error) {
    result.problem =
        Problem{SimplifyJob::tr("The policy could not be simplified: %1.").arg(QString::fromUtf8(error.what())), {}};
  }
  return result;
}

}  // namespace

void SimplifyJob::start(Simplify how, std::shared_ptr<const AssignedRun> model) {
  if (std::exchange(running_, true)) return;
  worker_.run([this, how, model = std::move(model)](const Worker::Caller& caller) {
    const auto result = std::make_shared<Simplified>(simplified(how, model->assignment()));
    caller.post([this, result] {
      running_ = false;
      Q_EMIT finished(*result);
    });
  });
}

}  // namespace binade::app
