// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/figure_html.h"

#include "app/lessons/html_parts.h"
#include "app/model/translate.h"

namespace binade::app {

namespace {

QString factTable(const std::vector<lessons::Fact>& facts) {
  lessons::Table table;
  table.heads = {tr("Fact").toStdString(), tr("Value").toStdString()};
  for (const lessons::Fact& fact : facts) table.rows.push_back({fact.name, fact.text});
  return htmlTable(table);
}

}  // namespace

QString figureHtml(const lessons::FigureData& data, const QImage& picture, const QString& caption,
                   const QString& lesson) {
  QString body;
  if (!lesson.isEmpty()) body += QStringLiteral("<p>%1</p>\n").arg(lesson.toHtmlEscaped());
  body += QStringLiteral("<h1>%1</h1>\n<figure>%2")
              .arg(htmlText(data.title), htmlPicture(picture, QString::fromStdString(data.text)));
  if (!caption.isEmpty()) body += QStringLiteral("<figcaption>%1</figcaption>").arg(caption.toHtmlEscaped());
  body += QStringLiteral("</figure>\n<p>%1</p>\n").arg(htmlText(data.text)) + htmlTable(data.table);
  // There may be dozens, and their names are for authors of lessons.
  if (!data.facts.empty()) body += htmlDetails(tr("All facts of the figure"), factTable(data.facts));
  return htmlPage(QString::fromStdString(data.title), body + htmlSource(data));
}

}  // namespace binade::app
