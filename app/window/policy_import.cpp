// SPDX-License-Identifier: Apache-2.0
#include "app/window/policy_import.h"

#include "app/session/session.h"
#include "views/values/numbers.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <utility>
#include <vector>

namespace binade::app {

namespace {

/// Files of others end in `.json` where Binade proposes `.ds_config.json`.
QString filterOf(const targets::Target& target) {
  const auto text = [](std::string_view each) {
    return QString::fromUtf8(each.data(), static_cast<qsizetype>(each.size()));
  };
  const QString suffix = text(target.suffix);
  const QString last = suffix.mid(suffix.lastIndexOf(u'.'));
  const QString endings = suffix == last ? u'*' + suffix : QStringLiteral("*%1 *%2").arg(suffix, last);
  return QStringLiteral("%1 (%2)").arg(text(target.title), endings);
}

}  // namespace

PolicyImport::PolicyImport(Session* session, QWidget* window) : QObject(window), session_(session), window_(window) {
  connect(&job_, &PolicyListJob::finished, this, &PolicyImport::take);
}

void PolicyImport::choose() {
  // Several formats share an ending, so the filter states which one is meant.
  std::vector<const targets::Target*> readable;
  QStringList filters;
  for (const targets::Target& target : targets::targets()) {
    if (target.read == nullptr) continue;
    readable.push_back(&target);
    filters << filterOf(target);
  }
  QString chosen = filters.value(0);
  const QString file = QFileDialog::getOpenFileName(window_, tr("Import a policy list"), QString(),
                                                    filters.join(QStringLiteral(";;")), &chosen);
  const qsizetype which = filters.indexOf(chosen);
  if (!file.isEmpty() && which >= 0) importFile(file, *readable[static_cast<std::size_t>(which)]);
}

void PolicyImport::importFile(const QString& file, const targets::Target& target) {
  const RunModel& run = session_->run();
  if (run.isEmpty() || job_.isRunning()) return;
  model_ = std::make_shared<AssignedRun>(run.modelInfo(), run.config(), policy::Policy{});
  format_ = QString::fromUtf8(target.title.data(), static_cast<qsizetype>(target.title.size()));
  job_.start(file, target, model_);
}

void PolicyImport::take(const PolicyList& list) {
  const std::shared_ptr<const AssignedRun> model = std::exchange(model_, nullptr);
  if (!list.policy) {
    Problem told = list.problem;
    const QString format =
        tr("The file was read as %1; the filter of the file dialog selects the format.").arg(format_);
    told.hint = told.hint.isEmpty() ? format : told.hint + u' ' + format;
    return Q_EMIT problem(told);
  }
  const QString name = QFileInfo(list.file).fileName();
  if (session_->run().isEmpty() || session_->run().config().model != model->assignment().model) {
    return Q_EMIT problem({tr("Another model was opened while %1 was read, so it was not imported.").arg(name),
                           tr("Import the list again, if it is for this model.")});
  }
  session_->document().replace(*list.policy, tr("Import %1").arg(name));
  QStringList hints;
  if (list.sets_scaler) {
    hints << tr("The file also sets the loss scaler, which belongs to the run and stays as it is.");
  }
  if (!list.findings.isEmpty()) hints << findingsText(list.findings);
  const int count = session_->document().changeCount();
  const QString changes = count == 1 ? tr("1 change") : tr("%1 changes").arg(views::grouped(count));
  Q_EMIT imported(tr("%1 is now the policy: %2, %3. Undo restores the one before.")
                      .arg(name, QString::fromStdString(policy::name(list.policy->base)), changes),
                  hints.join(u' '));
}

}  // namespace binade::app
