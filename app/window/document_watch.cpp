// SPDX-License-Identifier: Apache-2.0
#include "app/window/document_watch.h"

#include "app/session/session.h"
#include "app/window/banner_questions.h"

#include <QDir>
#include <QFileInfo>

namespace binade::app {

namespace {

constexpr auto kPolicyQuestion = "policy file";
constexpr auto kDescriptionQuestion = "description file";

}  // namespace

DocumentWatch::DocumentWatch(Session* session, BannerQuestions* questions, QObject* parent)
    : QObject(parent), session_(session), questions_(questions) {
  watchPolicy();
  watchDescription();
}

template <class Document, class Changed>
void DocumentWatch::follow(Document* document, Changed changed, FileWatch* watch, const QString& id) {
  const auto take = [this, document, watch, id] {
    questions_->withdraw(id);
    watch->setFile(document->file());
  };
  connect(document, &Document::settled, this, take);
  connect(document, changed, this, [document, watch, take] {
    if (document->file() != watch->file()) take();
  });
}

void DocumentWatch::watchPolicy() {
  PolicyDocument* document = &session_->document();
  const QString id = QLatin1String(kPolicyQuestion);
  // Another run has a policy of its own, which is in no file. A recovered one keeps the file's name.
  follow(document, &PolicyDocument::titleChanged, &policy_, id);
  connect(&policy_, &FileWatch::changed, this, [this, document, id](const QString& file) {
    askChanged(
        id, file, document->isModified(), [this, document] { report(document->open(document->file())); },
        [document] { document->setUnsaved(); });
  });
  connect(&policy_, &FileWatch::removed, this, [this, document, id](const QString& file) {
    document->setUnsaved();
    askRemoved(id, file, [this, document] { return document->save(document->file(), session_->provenance()); }, {});
  });
}

void DocumentWatch::watchDescription() {
  RunDocument* document = &session_->description();
  const QString id = QLatin1String(kDescriptionQuestion);
  follow(document, &RunDocument::changed, &description_, id);
  connect(&description_, &FileWatch::changed, this, [this, document, id](const QString& file) {
    askChanged(
        id, file, document->isModified(), [this] { reloadDescription(); }, [document] { document->setUnsaved(); });
  });
  connect(&description_, &FileWatch::removed, this, [this, document, id](const QString& file) {
    document->setUnsaved();
    askRemoved(id, file, [document] { return document->save(document->file()); }, {});
  });
}

void DocumentWatch::askChanged(const QString& id, const QString& file, bool modified,
                               const std::function<void()>& reload, const std::function<void()>& keep) {
  questions_->ask({.id = id,
                   .message = tr("%1 was changed by another program or window.").arg(QFileInfo(file).fileName()),
                   .hint = modified
                               ? tr("It has edits here that are not saved. Reloading replaces them; Undo brings "
                                    "them back.")
                               : tr("The window still has the version before. Undo brings it back after reloading."),
                   .yes = tr("Reload"),
                   .on_yes = reload,
                   .no = tr("Keep mine"),
                   .on_no = keep});
}

void DocumentWatch::askRemoved(const QString& id, const QString& file,
                               const std::function<std::optional<Problem>()>& save, const std::function<void()>& keep) {
  questions_->ask({.id = id,
                   .message = tr("%1 was deleted or moved.").arg(QFileInfo(file).fileName()),
                   .hint = tr("The window still has its content. It was in %1.")
                               .arg(QDir::toNativeSeparators(QFileInfo(file).absolutePath())),
                   .yes = tr("Save it there again"),
                   .on_yes = [this, save] { report(save()); },
                   .no = tr("Leave it"),
                   .on_no = keep});
}

// One undo step, unless the file is now about another model, which the engine must read first.
void DocumentWatch::reloadDescription() {
  RunDocument& document = session_->description();
  const QString file = document.file();
  const RunDescription read = readRunDescription(file);
  if (!read.config) return report(read.problem);
  if (read.config->model != document.config().model) return session_->openFile(file);
  document.edit(tr("Reload %1").arg(QFileInfo(file).fileName()), *read.config);
  document.setFile(file);
}

void DocumentWatch::report(const std::optional<Problem>& failure) {
  if (failure) Q_EMIT session_->problem(*failure);
}

}  // namespace binade::app
