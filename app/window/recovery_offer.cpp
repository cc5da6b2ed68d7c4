// SPDX-License-Identifier: Apache-2.0
#include "app/window/recovery_offer.h"

#include "app/present/policy_change.h"
#include "app/session/session.h"
#include "app/window/banner_questions.h"

#include <QFileInfo>
#include <QLocale>
#include <QStringList>

namespace binade::app {

namespace {

QString nameOf(const QString& file, const QString& otherwise) {
  return file.isEmpty() ? otherwise : QFileInfo(file).fileName();
}

QString wordsOf(const UnsavedEdits& edits) {
  QStringList parts;
  if (edits.policy) {
    const policy::Policy& policy = *edits.policy;
    const int changes = changeCount(policy);
    const QString name = nameOf(edits.policy_file, titleOf(policy));
    parts << (changes == 1 ? RecoveryOffer::tr("the policy %1 with 1 change").arg(name)
                           : RecoveryOffer::tr("the policy %1 with %2 changes").arg(name).arg(changes));
  }
  if (edits.description) {
    const wire::RunConfig& config = *edits.description;
    const std::string own = config.name.empty() ? config.model : config.name;
    parts
        << RecoveryOffer::tr("the run description %1").arg(nameOf(edits.description_file, QString::fromStdString(own)));
  }
  return parts.join(RecoveryOffer::tr(" and "));
}

}  // namespace

RecoveryOffer::RecoveryOffer(Session* session, EditRecovery* recovery, BannerQuestions* questions, QObject* parent)
    : QObject(parent), session_(session), recovery_(recovery), questions_(questions) {
  connect(recovery_, &EditRecovery::failed, session_, &Session::problem);
}

void RecoveryOffer::begin() {
  for (const EditRecovery::Abandoned& found : recovery_->takeAbandoned()) ask(found);
}

void RecoveryOffer::ask(const EditRecovery::Abandoned& found) {
  const QString when = QLocale().toString(found.edits.when.toLocalTime(), QLocale::ShortFormat);
  questions_->ask(
      {.id = found.file,
       .message = tr("Binade ended without saving %1.").arg(wordsOf(found.edits)),
       .hint = tr("The edits are of %1. Recovering them changes no file.").arg(when),
       .yes = tr("Recover"),
       .on_yes = [this,
                  found] { session_->recover(found.edits, [this, file = found.file] { recovery_->discard(file); }); },
       .no = tr("Discard"),
       .on_no = [this, file = found.file] { recovery_->discard(file); }});
}

}  // namespace binade::app
