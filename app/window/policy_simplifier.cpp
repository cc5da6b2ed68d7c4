// SPDX-License-Identifier: Apache-2.0
#include "app/window/policy_simplifier.h"

#include "app/session/session.h"

namespace binade::app {

PolicySimplifier::PolicySimplifier(Session* session, QObject* parent) : QObject(parent), session_(session) {
  connect(&job_, &SimplifyJob::finished, this, &PolicySimplifier::take);
}

void PolicySimplifier::start(Simplify how) {
  const RunModel& run = session_->run();
  if (run.isEmpty() || job_.isRunning()) return;
  job_.start(how, std::make_shared<AssignedRun>(run.modelInfo(), run.config(), session_->document().policy()));
}

void PolicySimplifier::take(const Simplified& result) {
  if (result.problem) return Q_EMIT problem(*result.problem);
  PolicyDocument& document = session_->document();
  if (!(document.policy() == result.before)) {
    return Q_EMIT problem({tr("The policy was edited while its rules were compared, so it stays as it is."),
                           tr("Choose the command again.")});
  }
  if (result.after == result.before) {
    return Q_EMIT done(tr("No rule can be left out or replaced."), tr("The policy stays as it is."));
  }
  const int before = document.changeCount();
  policy::Policy after = result.after;
  after.provenance = {};
  document.replace(after, result.how == Simplify::kMinimise ? tr("Minimise the policy") : tr("Generalise the policy"));
  QStringList hints;
  if (result.dropped > 0) hints << tr("Left out: %1.").arg(result.dropped);
  if (result.patterns > 0) hints << tr("Replaced by patterns: %1, now %2.").arg(result.replaced).arg(result.patterns);
  hints << tr("Every op call runs as before. Undo restores the rules.");
  Q_EMIT done(tr("The policy has %1 rules and op changes, before %2.").arg(document.changeCount()).arg(before),
              hints.join(u' '));
}

}  // namespace binade::app
