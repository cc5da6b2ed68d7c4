// SPDX-License-Identifier: Apache-2.0
#include "app/session/far_copy.h"

#include "app/session/engine_client.h"

#include <QDir>
#include <QTimer>

#include <utility>

namespace binade::app {

namespace {

constexpr int kPreparingMs = 200;  // between two questions whether the far copy is complete

}  // namespace

FarCopy::FarCopy(EngineClient* engine, QObject* parent) : QObject(parent), engine_(engine) {}

FarCopy::~FarCopy() = default;

void FarCopy::start(const QString& file, const QString& to) {
  if (isRunning()) return;
  ++turn_;
  file_ = file.toStdString();
  copy_.clear();
  received_ = 0;
  out_ = std::make_unique<QSaveFile>(to);
  if (!out_->open(QIODevice::WriteOnly)) {
    const Problem problem{tr("%1 could not be written: %2.").arg(QDir::toNativeSeparators(to), out_->errorString()),
                          tr("Choose another place.")};
    // Later, as all other ends: the caller is not re-entered.
    QTimer::singleShot(0, this, [this, problem, turn = turn_] {
      if (turn == turn_) end(problem);
    });
    return;
  }
  ask();
}

void FarCopy::cancel() {
  ++turn_;
  if (out_) out_->cancelWriting();
  out_.reset();
  file_.clear();
}

void FarCopy::ask() {
  wire::ReadFile part;
  part.file = file_;
  part.copy = copy_;
  part.offset = received_;
  engine_->readFile(part, [this, turn = turn_](const std::variant<wire::FilePart, Problem>& answer) {
    if (turn != turn_) return;
    if (const auto* problem = std::get_if<Problem>(&answer)) return end(*problem);
    take(std::get<wire::FilePart>(answer));
  });
}

void FarCopy::take(const wire::FilePart& part) {
  copy_ = part.copy;
  if (!part.ready) {
    QTimer::singleShot(kPreparingMs, this, [this, turn = turn_] {
      if (turn == turn_) ask();
    });
    Q_EMIT progress(false, part.prepared, 0);
    return;
  }
  const auto bytes = static_cast<std::int64_t>(part.data.value.size());
  const bool misfit = part.offset != received_ || part.size < received_ + bytes || part.size < 0 ||
                      (bytes == 0 && received_ < part.size);
  if (misfit) {
    return end(Problem{tr("The engine sent a part of %1 that does not fit.").arg(file()),
                       tr("Install explorer and engine of the same version.")});
  }
  if (out_->write(part.data.value.data(), bytes) != bytes) {
    return end(
        Problem{tr("%1 could not be written: %2.").arg(QDir::toNativeSeparators(out_->fileName()), out_->errorString()),
                tr("Make room on the disk, or choose another place.")});
  }
  received_ += bytes;
  const int turn = turn_;
  Q_EMIT progress(true, part.size == 0 ? 1 : static_cast<double>(received_) / static_cast<double>(part.size),
                  part.size);
  if (turn != turn_) return;  // whoever was told has cancelled
  if (received_ < part.size) return ask();
  if (out_->commit()) return end(std::nullopt);
  end(Problem{tr("%1 could not be written: %2.").arg(QDir::toNativeSeparators(out_->fileName()), out_->errorString()),
              tr("Make room on the disk, or choose another place.")});
}

void FarCopy::end(const std::optional<Problem>& problem) {
  ++turn_;
  const auto out = std::exchange(out_, nullptr);
  if (problem) out->cancelWriting();
  file_.clear();
  Q_EMIT finished(out->fileName(), problem);
}

}  // namespace binade::app
