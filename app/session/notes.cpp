// SPDX-License-Identifier: Apache-2.0
#include "app/session/notes.h"

#include "app/model/run_model.h"
#include "engine/record/append.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <future>

namespace binade::app {

Notes::Notes(RunModel* run, QObject* parent) : QObject(parent), run_(run) {}

// The worker drops what waits when it ends, but a note is the user's.
Notes::~Notes() {
  std::promise<void> written;
  const std::future<void> done = written.get_future();
  worker_.run([&written](const Worker::Caller&) { written.set_value(); });
  done.wait();
}

QString Notes::textAt(std::int64_t step) const {
  const auto& notes = run_->notes();
  const auto found = std::ranges::lower_bound(notes, step, {}, &wire::Note::step);
  return found == notes.end() || found->step != step ? QString() : QString::fromStdString(found->text);
}

void Notes::write(std::int64_t step, const QString& text) {
  const QString wanted = text.trimmed();
  if (run_->isEmpty() || wanted == textAt(step)) return;
  const wire::Note note{step, wanted.toStdString(), QDateTime::currentSecsSinceEpoch()};
  run_->addNote(note);
  const QString file = run_->runFile();
  if (file.isEmpty()) return;
  if (!QFileInfo::exists(file)) {
    Q_EMIT problem(
        {tr("The note on step %1 is not saved: there is no run file %2 on this computer.").arg(step).arg(file),
         tr("The note stays in the window until the run is closed.")});
    return;
  }
  worker_.run([this, note, path = file.toStdString()](const Worker::Caller& caller) {
    try {
      record::append(path, note);
      caller.post([this] { Q_EMIT saved(); });
    } catch (const Error& error) {
      caller.post([this, what = problemOf(error)] { Q_EMIT problem(what); });
    } catch (const std::exception& error) {
      caller.post([this, what = Problem{QString::fromUtf8(error.what())}] { Q_EMIT problem(what); });
    }
  });
}

}  // namespace binade::app
