// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_progress.h"

#include "engine/lessons/lesson.h"

#include <QSettings>
#include <QUrl>

namespace binade::app {

namespace {

constexpr auto kProgressGroup = "lessons/progress";
constexpr auto kCurrentLessonKey = "lessons/current";

// A lesson's key may be a path, and slashes divide groups of settings.
QString lessonGroup(const QString& lesson) {
  return QLatin1String(kProgressGroup) + u'/' + QString::fromLatin1(QUrl::toPercentEncoding(lesson));
}

QString partKey(const QString& lesson, const char* part, std::size_t index) {
  return lessonGroup(lesson) + u'/' + QLatin1String(part) + QString::number(index);
}

}  // namespace

std::optional<std::size_t> LessonProgress::prediction(const QString& lesson, std::size_t index) const {
  bool is_number = false;
  const qulonglong option = settings_->value(partKey(lesson, "predict", index)).toULongLong(&is_number);
  return is_number ? std::optional(static_cast<std::size_t>(option)) : std::nullopt;
}

void LessonProgress::setPrediction(const QString& lesson, std::size_t index, std::size_t option) {
  settings_->setValue(partKey(lesson, "predict", index), static_cast<qulonglong>(option));
}

bool LessonProgress::hasRun(const QString& lesson, std::size_t index) const {
  return settings_->value(partKey(lesson, "run", index)).toBool();
}

void LessonProgress::setRun(const QString& lesson, std::size_t index) {
  settings_->setValue(partKey(lesson, "run", index), true);
}

std::optional<QString> LessonProgress::answer(const QString& lesson, std::size_t index) const {
  const QVariant kept = settings_->value(partKey(lesson, "check", index));
  return kept.isValid() ? std::optional(kept.toString()) : std::nullopt;
}

void LessonProgress::setAnswer(const QString& lesson, std::size_t index, const QString& text) {
  settings_->setValue(partKey(lesson, "check", index), text);
}

bool LessonProgress::isDone(const QString& lesson, const lessons::Lesson& content) const {
  std::size_t predictions = 0;
  std::size_t exercises = 0;
  for (const lessons::Section& section : content.sections) {
    for (const lessons::Block& block : section.blocks) {
      if (std::holds_alternative<lessons::Prediction>(block) && !prediction(lesson, predictions++)) return false;
      if (std::holds_alternative<lessons::Exercise>(block) && !answer(lesson, exercises++)) return false;
    }
  }
  return true;
}

void LessonProgress::reset(const QString& lesson) {
  settings_->remove(lessonGroup(lesson));
}

void LessonProgress::resetAll() {
  settings_->remove(QLatin1String(kProgressGroup));
}

QString LessonProgress::current() const {
  return settings_->value(QLatin1String(kCurrentLessonKey)).toString();
}

void LessonProgress::setCurrent(const QString& lesson) {
  settings_->setValue(QLatin1String(kCurrentLessonKey), lesson);
}

}  // namespace binade::app
