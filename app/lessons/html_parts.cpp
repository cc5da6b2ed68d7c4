// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/html_parts.h"

#include "app/model/translate.h"

#include <QBuffer>

namespace binade::app {

namespace {

constexpr auto kStyle =
    "body{font-family:sans-serif;max-width:52em;margin:2em auto;padding:0 1em;line-height:1.5;color:#1a1e24}"
    "img{max-width:100%}figure{margin:1.5em 0}figcaption{color:#525c68}table{border-collapse:collapse}"
    "td,th{border:1px solid #cfd4db;padding:.2em .6em;text-align:left}"
    ".task{border-left:4px solid #5457cd;padding:.2em 1em;margin:1.5em 0}details{margin:.5em 0}";

}  // namespace

QString htmlText(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString htmlPage(const QString& title, const QString& body) {
  return QStringLiteral(
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
             "<meta name=\"viewport\" content=\"width=device-width\"/>"
             "<title>%1</title><style>%2</style></head><body>\n%3</body></html>\n")
      .arg(title.toHtmlEscaped(), QString::fromLatin1(kStyle), body);
}

QString htmlDetails(const QString& summary, const QString& content) {
  return QStringLiteral("<details><summary>%1</summary>%2</details>\n").arg(summary, content);
}

QString htmlPicture(const QImage& picture, const QString& words) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  picture.save(&buffer, "PNG");
  return QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\"/>")
      .arg(words.toHtmlEscaped(), QString::fromLatin1(png.toBase64()));
}

QString htmlTable(const lessons::Table& table) {
  if (table.rows.empty()) return {};
  QString html = QStringLiteral("<table><tr>");
  for (const std::string& head : table.heads) html += QStringLiteral("<th>%1</th>").arg(htmlText(head));
  html += QStringLiteral("</tr>");
  for (const auto& row : table.rows) {
    html += QStringLiteral("<tr>");
    for (const std::string& cell : row) html += QStringLiteral("<td>%1</td>").arg(htmlText(cell));
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

QString htmlSource(const lessons::FigureData& data) {
  if (!data.quoted()) return {};
  return QStringLiteral("<p>%1 %2</p>").arg(tr("Quoted from:"), htmlText(data.source));
}

}  // namespace binade::app
