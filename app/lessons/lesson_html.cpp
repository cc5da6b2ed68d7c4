// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_html.h"

#include "app/lessons/html_parts.h"
#include "app/model/translate.h"
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/trainings.h"
#include "views/values/numbers.h"

#include <QRegularExpression>
#include <QTextDocument>

namespace binade::app {

namespace {

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

class LessonPageWriter {
 public:
  explicit LessonPageWriter(const DrawFigure& draw) : draw_(draw) {}

  QString operator()(const lessons::Prose& prose) const { return fromMarkdown(prose.markdown); }

  QString operator()(const lessons::Figure& figure) const {
    const lessons::FigureData data = lessons::compute(*figure.kind, figure.parameters);
    QString html =
        QStringLiteral("<figure>%1<figcaption>%2</figcaption>")
            .arg(htmlPicture(draw_(figure), QString::fromStdString(data.text)), fromMarkdown(figure.caption));
    html += htmlDetails(tr("The figure in words and numbers"),
                        QStringLiteral("<p>%1</p>%2").arg(htmlText(data.text), htmlTable(data.table)));
    return html + htmlSource(data) + QStringLiteral("</figure>\n");
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
                                   htmlDetails(tr("Answers"), QStringLiteral("<ol>%1</ol>").arg(answers)));
  }

  QString operator()(const lessons::Experiment& run) const {
    QStringList trainings;
    for (const lessons::Training& each : lessons::trainings_of(run)) trainings << QString::fromStdString(each.name);
    return task(tr("Run"), QStringLiteral("<p>%1</p>")
                               .arg(tr("In Binade: train the sample %1 for %2 steps with %3.")
                                        .arg(htmlText(run.sample))
                                        .arg(views::grouped(run.steps))
                                        .arg(trainings.join(QStringLiteral(", ")))));
  }

  QString operator()(const lessons::Exercise& exercise) const {
    QString answer;
    if (const auto* names = std::get_if<std::vector<std::string>>(&exercise.answer)) {
      answer = QString::fromStdString(names->front());
    } else {
      answer = QString::fromStdString(exercise.answer_text);
    }
    QString html = fromMarkdown(exercise.ask);
    if (!exercise.hint.empty()) html += htmlDetails(tr("Hint"), fromMarkdown(exercise.hint));
    html += htmlDetails(tr("Answer"),
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
  QString body = QStringLiteral("<h1>%1</h1>%2\n").arg(htmlText(lesson.title), fromMarkdown(lesson.summary));
  for (const lessons::Section& section : lesson.sections) {
    if (!section.title.empty()) body += QStringLiteral("<h2>%1</h2>\n").arg(htmlText(section.title));
    for (const lessons::Block& block : section.blocks) body += std::visit(write, block);
  }
  return htmlPage(QString::fromStdString(lesson.title), body);
}

}  // namespace binade::app
