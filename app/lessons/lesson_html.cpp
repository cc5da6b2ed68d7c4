// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_html.h"

#include "app/model/translate.h"
#include "engine/lessons/compute_figure.h"
#include "engine/policy/policy.h"

#include <QBuffer>
#include <QRegularExpression>
#include <QTextDocument>

namespace binade::app {

namespace {

constexpr auto kStyle =
    "body{font-family:sans-serif;max-width:52em;margin:2em auto;padding:0 1em;line-height:1.5;color:#1a1e24}"
    "img{max-width:100%}figure{margin:1.5em 0}figcaption{color:#525c68}table{border-collapse:collapse}"
    "td,th{border:1px solid #cfd4db;padding:.2em .6em;text-align:left}"
    ".task{border-left:4px solid #5457cd;padding:.2em 1em;margin:1.5em 0}details{margin:.5em 0}";

QString escaped(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

// Qt repeats fonts and margins at every element; only what a text has of its own is kept.
QString withoutLayout(QString html) {
  static const QRegularExpression layout(
      QStringLiteral(" (border|cellspacing|cellpadding|class|align|type)=\"[^\"]*\""));
  static const QRegularExpression style(QStringLiteral(" style=\"([^\"]*)\""));
  static const QRegularExpression own(QStringLiteral("(font-weight|font-style|font-family|vertical-align):[^;]*;"));
  html.remove(layout);
  QString kept;
  qsizetype from = 0;
  for (const QRegularExpressionMatch& match : style.globalMatch(html)) {
    kept += html.mid(from, match.capturedStart() - from);
    QString declarations;
    for (const QRegularExpressionMatch& each : own.globalMatch(match.captured(1))) declarations += each.captured();
    if (!declarations.isEmpty()) kept += QStringLiteral(" style=\"%1\"").arg(declarations);
    from = match.capturedEnd();
  }
  return kept + html.mid(from);
}

// The page loads nothing, and opens pages of the web only.
QString withWebLinksOnly(QString html) {
  static const QRegularExpression image(QStringLiteral("<img[^>]*>"));
  static const QRegularExpression other(
      QStringLiteral("<a (?![^>]*href=\"https?://)[^>]*>(.*?)</a>"),
      QRegularExpression::DotMatchesEverythingOption | QRegularExpression::CaseInsensitiveOption);
  return html.remove(image).replace(other, QStringLiteral("\\1"));
}

// The body of the page that Qt writes. Lesson files are text, so HTML in them is not taken over.
QString fromMarkdown(const std::string& markdown) {
  QTextDocument document;
  document.setMarkdown(
      QString::fromStdString(markdown),
      QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
  const QString html = document.toHtml();
  const qsizetype body = html.indexOf(u'>', html.indexOf(QLatin1String("<body"))) + 1;
  return withWebLinksOnly(withoutLayout(html.mid(body, html.lastIndexOf(QLatin1String("</body>")) - body)));
}

QString details(const QString& summary, const QString& content) {
  return QStringLiteral("<details><summary>%1</summary>%2</details>\n").arg(summary, content);
}

QString tableOf(const lessons::Table& table) {
  if (table.rows.empty()) return {};
  QString html = QStringLiteral("<table><tr>");
  for (const std::string& head : table.heads) html += QStringLiteral("<th>%1</th>").arg(escaped(head));
  html += QStringLiteral("</tr>");
  for (const auto& row : table.rows) {
    html += QStringLiteral("<tr>");
    for (const std::string& cell : row) html += QStringLiteral("<td>%1</td>").arg(escaped(cell));
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

class LessonPageWriter {
 public:
  explicit LessonPageWriter(const DrawFigure& draw) : draw_(draw) {}

  QString operator()(const lessons::Prose& prose) const { return fromMarkdown(prose.markdown); }

  QString operator()(const lessons::Figure& figure) const {
    const lessons::FigureData data = lessons::compute(*figure.kind, figure.parameters);
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    draw_(figure).save(&buffer, "PNG");
    QString html =
        QStringLiteral("<figure><img alt=\"%1\" src=\"data:image/png;base64,%2\"/><figcaption>%3</figcaption>")
            .arg(escaped(data.text), QString::fromLatin1(png.toBase64()), fromMarkdown(figure.caption));
    html += details(tr("The figure in words and numbers"),
                    QStringLiteral("<p>%1</p>%2").arg(escaped(data.text), tableOf(data.table)));
    if (data.quoted()) html += QStringLiteral("<p>%1 %2</p>").arg(tr("Quoted from:"), escaped(data.source));
    return html + QStringLiteral("</figure>\n");
  }

  QString operator()(const lessons::Prediction& prediction) const {
    QString options;
    QString answers;
    for (const lessons::Option& option : prediction.options) {
      options += QStringLiteral("<li>%1</li>").arg(fromMarkdown(option.text));
      answers += QStringLiteral("<li>%1%2</li>")
                     .arg(option.right ? QStringLiteral("<b>✓</b> ") : QString(), fromMarkdown(option.feedback));
    }
    return task(tr("Predict"), fromMarkdown(prediction.question) + QStringLiteral("<ol>%1</ol>").arg(options) +
                                   details(tr("Answers"), QStringLiteral("<ol>%1</ol>").arg(answers)));
  }

  QString operator()(const lessons::Experiment& run) const {
    QStringList policies;
    for (const policy::Base base : run.policies) policies << QString::fromStdString(policy::name(base));
    return task(tr("Run"), QStringLiteral("<p>%1</p>")
                               .arg(tr("In Binade: train the sample %1 for %2 steps with %3.")
                                        .arg(escaped(run.sample))
                                        .arg(run.steps)
                                        .arg(policies.join(QStringLiteral(", ")))));
  }

  QString operator()(const lessons::Exercise& exercise) const {
    QString answer;
    if (const auto* names = std::get_if<std::vector<std::string>>(&exercise.answer)) {
      answer = QString::fromStdString(names->front());
    } else {
      answer = QString::fromStdString(exercise.answer_text);
    }
    QString html = fromMarkdown(exercise.ask);
    if (!exercise.hint.empty()) html += details(tr("Hint"), fromMarkdown(exercise.hint));
    html += details(tr("Answer"),
                    QStringLiteral("<p><b>%1</b></p>%2").arg(answer.toHtmlEscaped(), fromMarkdown(exercise.right)));
    return task(tr("Check"), html);
  }

 private:
  static QString task(const QString& head, const QString& content) {
    return QStringLiteral("<div class=\"task\"><h3>%1</h3>%2</div>\n").arg(head, content);
  }

  const DrawFigure& draw_;
};

}  // namespace

QString lessonHtml(const lessons::Lesson& lesson, const DrawFigure& draw) {
  const LessonPageWriter write(draw);
  QString html = QStringLiteral(
                     "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
                     "<meta name=\"viewport\" content=\"width=device-width\"/>"
                     "<title>%1</title><style>%2</style></head><body>\n<h1>%1</h1>%3\n")
                     .arg(escaped(lesson.title), QString::fromLatin1(kStyle), fromMarkdown(lesson.summary));
  for (const lessons::Section& section : lesson.sections) {
    if (!section.title.empty()) html += QStringLiteral("<h2>%1</h2>\n").arg(escaped(section.title));
    for (const lessons::Block& block : section.blocks) html += std::visit(write, block);
  }
  return html + QStringLiteral("</body></html>\n");
}

}  // namespace binade::app
